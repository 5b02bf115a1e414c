import { fluxMinors, type FluxMinor } from "../../values/fluxVersions.ts";
import { compile, type Check } from "./compile.ts";
import { type CrdKind } from "./kinds.ts";
import { root } from "./since.ts";

/** One fault of a spec. */
export interface Fault {
  /** From the spec down: `["dependsOn", 0, "name"]`. A missing field is named too. */
  readonly path: readonly (string | number)[];
  /** What is wrong, the value received, what is allowed and what to do. Starts where the path ends. */
  readonly message: string;
}

const compiled = new Map<string, Check>();

/**
 * All faults of a spec against Flux's own CRD of a minor version: types, unknown and missing fields, choices, patterns, lengths
 * and the CRD's rules between fields. Fields that are undefined count as absent; null is a fault. Nothing is changed or filled in.
 */
export function validateSpec(kind: CrdKind, minor: FluxMinor, spec: unknown): Fault[] {
  const faults: Fault[] = [];
  check(kind, minor)(spec, [], (way, message) => {
    faults.push({ path: [...way], message });
  });
  return faults;
}

/** True for a minor version of Flux that this release knows. */
export function isFluxMinor(version: string): version is FluxMinor {
  return (fluxMinors as readonly string[]).includes(version);
}

function check(kind: CrdKind, minor: FluxMinor): Check {
  const key = `${kind} ${minor}`;
  let found = compiled.get(key);
  if (!found) compiled.set(key, (found = compile(root(kind), minor)));
  return found;
}
