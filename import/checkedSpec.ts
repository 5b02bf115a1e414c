import { fluxMinors, type FluxMinor } from "../values/fluxVersions.ts";
import { type CrdKind } from "../flux/crd/kinds.ts";
import { validateSpec } from "../flux/crd/validate.ts";
import { isMap } from "../values/maps.ts";
import type { Report } from "./notTaken.ts";

/** A spec that some version of Flux takes. */
export interface CheckedSpec {
  readonly spec: Readonly<Record<string, unknown>>;
  /** The oldest version that takes it. */
  readonly minor: FluxMinor;
}

/**
 * The spec as the API server keeps it: without nulls, and without unknown fields, which are noted. Undefined, and noted,
 * when no version of Flux takes it.
 */
export function checkedSpec(
  kind: CrdKind,
  spec: Readonly<Record<string, unknown>>,
  report: Report,
): CheckedSpec | undefined {
  const kept = withoutNulls(spec) as Record<string, unknown>;
  const newest = fluxMinors.at(-1)!;
  for (const { path, message } of validateSpec(kind, newest, kept)) {
    if (!message.startsWith("unknown key;")) continue;
    remove(kept, path);
    report(["spec", ...path].join("."), "is not a field that Flux knows, and is left out", "part");
  }
  const faults = validateSpec(kind, newest, kept);
  for (const { path, message } of faults) report(["spec", ...path].join("."), quiet(message), "object");
  if (faults.length > 0) return undefined;
  return {
    spec: kept,
    minor: fluxMinors.find((minor) => validateSpec(kind, minor, kept).length === 0) ?? newest,
  };
}

/** What is wrong, without the value that was received. */
function quiet(message: string): string {
  return message.startsWith("is missing")
    ? "is missing, and Flux requires it; the object is left out"
    : "is nothing that Flux takes; the object is left out";
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

function remove(root: Record<string, unknown>, path: readonly (string | number)[]): void {
  let place: unknown = root;
  for (const step of path.slice(0, -1)) place = (place as Record<string | number, unknown>)[step];
  delete (place as Record<string | number, unknown>)[path.at(-1)!];
}
