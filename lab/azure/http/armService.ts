import { randomUUID } from "node:crypto";
import path from "node:path";
import { Arm, notFound } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { armTypes, clusterOf } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import { isUnplugged } from "../../unplugged.ts";
import { Agents } from "./agents.ts";
import type { Operation, OperationKind } from "./operations.ts";
import { keyOf, Operations } from "./operations.ts";

export interface ArmServiceOptions {
  /** Folder of the lab. */
  readonly dir: string;
  readonly assumeClusters?: boolean;
  /** What an operation waits for, beside the agents. A rejection with an ArmError makes it fail. Defaults to nothing. */
  readonly work?: (operation: Operation) => Promise<void>;
}

/** A change that was accepted. */
export interface Accepted {
  readonly operation: Operation;
  /** The resource while the operation is in progress. */
  readonly resource: Json;
}

/** The resources with the time that Azure takes: operations, what they exclude, and the agents some of them wait for. */
export class ArmService {
  readonly arm: Arm;
  readonly operations = new Operations();
  readonly agents: Agents;
  readonly #work: (operation: Operation) => Promise<void>;
  readonly #dir: string;
  /** Protected settings are here and nowhere else: they end with the emulator. */
  readonly #secrets = new Map<string, Json>();

  constructor({ dir, assumeClusters = false, work = () => Promise.resolve() }: ArmServiceOptions) {
    this.arm = new Arm({ root: path.join(dir, "azure"), assumeClusters });
    this.#work = work;
    this.#dir = dir;
    this.agents = new Agents(this.arm, this.operations, {
      secrets: (id) => this.#secrets.get(keyOf(id)),
      end: (operation, error) => this.#end(operation, error),
    });
  }

  /** The resource as it is now; undefined when there is none. */
  get(id: ArmId): Json | undefined {
    const resource = this.arm.get(id);
    const operation = this.operations.on(id);
    if (resource === undefined || operation === undefined) return resource;
    const provisioningState = stateDuring(operation);
    return { ...resource, properties: { ...asObject(resource["properties"]), provisioningState } };
  }

  put(id: ArmId, body: Json): Accepted {
    this.#refuseBusy(id);
    const kind = this.arm.has(id) ? "Updating" : "Creating";
    const operationId = randomUUID();
    this.arm.put(id, body, operationId);
    this.#remember(id, asObject(body["properties"]), "replace");
    return this.#start(id, kind, operationId);
  }

  /** A PATCH of a type that needs no operation for it. */
  patchAtOnce(id: ArmId, body: Json): Json {
    this.#refuseBusy(id);
    return this.arm.patch(id, body, undefined);
  }

  patch(id: ArmId, body: Json): Accepted {
    this.#refuseBusy(id);
    const operationId = randomUUID();
    this.arm.patch(id, body, this.#secrets.get(keyOf(id)), operationId);
    this.#remember(id, asObject(body["properties"]), "merge");
    return this.#start(id, "Updating", operationId);
  }

  /** Undefined when there is nothing to delete. By force only Azure's record goes; what is on the cluster stays. */
  delete(id: ArmId, force: boolean): Operation | undefined {
    if (!this.arm.has(id)) return undefined;
    if (force) {
      const running = this.operations.on(id);
      if (running) this.operations.end(running, running.kind === "Deleting" ? undefined : forced(id));
      const operation = this.operations.start(id, "Deleting");
      this.#end(operation);
      return operation;
    }
    this.#refuseBusy(id);
    if (id.type === armTypes.connectedCluster) {
      const below = this.operations.below(id);
      if (below) throw busy(below.target);
    }
    const isOff = isUnplugged(this.#dir, clusterOf(id).name);
    // Azure waits for an hour and then gives up; the lab says so at once.
    if (isOff && id.type !== armTypes.connectedCluster)
      throw new ArmError(504, "GatewayTimeout", `The agents of '${clusterOf(id).name}' did not answer.`);
    // With its cluster gone, nothing is left behind that somebody would miss.
    if (!isOff) this.arm.refuseOrphans(id);
    return this.#start(id, "Deleting").operation;
  }

  #start(id: ArmId, kind: OperationKind, operationId?: string): Accepted {
    const operation = this.operations.start(id, kind, operationId);
    const resource = this.get(id);
    if (resource === undefined) throw notFound(id);
    this.agents.changed();
    // The answer goes out first: it shows the operation in progress, as Azure's does.
    setImmediate(() => void this.#run(operation));
    return { operation, resource };
  }

  async #run(operation: Operation): Promise<void> {
    try {
      await this.#work(operation);
    } catch (error) {
      const failure =
        error instanceof ArmError ? error : new ArmError(500, "InternalServerError", String(error));
      this.#end(operation, failure);
      return;
    }
    // The agents end it themselves, once the cluster is as it should be.
    if (!this.agents.answerFor(operation.target)) this.#end(operation);
  }

  #end(operation: Operation, error?: ArmError): void {
    if (operation.status !== "InProgress") return;
    const { target, kind } = operation;
    if (error !== undefined) this.arm.report(target, failedProperties(target, error));
    else if (kind === "Deleting") {
      this.arm.remove(target);
      for (const key of this.#secrets.keys()) {
        if (key === keyOf(target) || key.startsWith(`${keyOf(target)}/`)) this.#secrets.delete(key);
      }
      this.agents.forget(target);
    }
    this.operations.end(operation, error);
    this.agents.changed();
  }

  #remember(id: ArmId, properties: Json, how: "replace" | "merge"): void {
    const given = properties["configurationProtectedSettings"];
    if (how === "merge" && given === undefined) return;
    const before = how === "merge" ? (this.#secrets.get(keyOf(id)) ?? {}) : {};
    const entries = Object.entries({ ...before, ...asObject(given) }).filter(([, value]) => value !== null);
    if (entries.length === 0) this.#secrets.delete(keyOf(id));
    else this.#secrets.set(keyOf(id), Object.fromEntries(entries));
  }

  #refuseBusy(id: ArmId): void {
    if (this.operations.on(id)) throw busy(id);
    if (id.type !== armTypes.extension && id.type !== armTypes.fluxConfiguration) return;
    const parent = clusterOf(id);
    if (this.operations.on(parent)?.kind === "Deleting") throw busy(parent);
  }
}

function stateDuring({ kind, target }: Operation): string {
  return kind === "Creating" && target.type === armTypes.connectedCluster ? "Accepted" : kind;
}

function failedProperties(id: ArmId, error: ArmError): Json {
  const provisioningState = "Failed";
  if (id.type === armTypes.extension) {
    return { provisioningState, errorInfo: { code: error.code, message: error.text } };
  }
  return id.type === armTypes.fluxConfiguration
    ? { provisioningState, errorMessage: error.text }
    : { provisioningState };
}

function busy(id: ArmId): ArmError {
  const type = id.type === armTypes.resourceGroup ? "resource group" : id.type;
  return new ArmError(
    409,
    "Conflict",
    `Another operation is in progress on '${id.name}' (${type}). Try again once it has finished.`,
  );
}

function forced(id: ArmId): ArmError {
  return new ArmError(409, "OperationPreempted", `The deletion of '${id.name}' by force went first.`);
}
