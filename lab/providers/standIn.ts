import type { Json } from "../azure/json.ts";
import type { ValuePath } from "./values.ts";

/** What a call says about the resource it is for. */
export interface ResourceCall {
  /** Type token: `azure-native:kubernetesconfiguration:Extension`. */
  readonly type: string;
  /** Name in the program, the last part of the URN. */
  readonly name: string;
  /** The connection, one per provider resource of the stack. */
  readonly peer: string;
  /** Longest time the caller waits, when it said one. */
  readonly seconds?: number;
}

/** A fault that `check` found. With a property named, the engine prints that property's whole value. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface Checked {
  readonly inputs: Json;
  readonly failures: readonly CheckFailure[];
}

/** Which of the changed top-level inputs force a replacement. */
export interface Replacement {
  readonly keys: readonly string[];
  /** The old one must go first, since the new one takes its name. */
  readonly deleteFirst: boolean;
}

/** A resource after a call: its outputs, and places in them that are secret beyond those of the inputs. */
export interface Outcome {
  readonly id: string;
  readonly outputs: Json;
  readonly secretOutputs?: readonly ValuePath[];
}

/** What `read` found. `inputs` are those a program would have to give to get this state. */
export interface Found extends Outcome {
  readonly inputs: Json;
}

/**
 * A stand-in for a provider. All values are plain: the server opens secrets on the way in and seals them on the way
 * out. In `check`, `replacement` and the preview methods a value may be one of Pulumi's texts for unknown.
 */
export interface StandIn {
  readonly package: string;
  readonly version: string;
  /** Names a rule in `faults.json` may use for the resource, beside its name in the program. */
  faultNames(call: ResourceCall, inputs: Json): readonly string[];
  /** Set when something behind the stand-in does what `faults.json` says. */
  readonly faultsElsewhere?: boolean;
  checkConfig?(config: Json): Checked;
  /** Keys of the provider's own configuration whose change moves its resources elsewhere. */
  configReplacement?(before: Json, after: Json): readonly string[];
  configure?(peer: string, config: Json): void;
  check(call: ResourceCall, inputs: Json, old: Json, randomSeed: Uint8Array): Promise<Checked> | Checked;
  replacement(call: ResourceCall, before: Json, after: Json, changed: ReadonlySet<string>): Replacement;
  previewCreate(call: ResourceCall, inputs: Json): Json;
  create(call: ResourceCall, inputs: Json, secrets: readonly ValuePath[]): Promise<Outcome> | Outcome;
  previewUpdate(call: ResourceCall, inputs: Json, outputs: Json): Json;
  update(
    call: ResourceCall,
    id: string,
    inputs: Json,
    secrets: readonly ValuePath[],
    outputs: Json,
  ): Promise<Outcome> | Outcome;
  /** Undefined when there is no such resource. Without inputs it is an import. */
  read(
    call: ResourceCall,
    id: string,
    inputs: Json,
    outputs: Json,
  ): Promise<Found | undefined> | Found | undefined;
  delete(call: ResourceCall, id: string, outputs: Json): Promise<void> | void;
  invoke(token: string, args: Json): Promise<Json> | Json;
}
