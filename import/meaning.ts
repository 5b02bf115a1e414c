import { durationSeconds } from "../values/duration.ts";
import { isMap } from "../values/maps.ts";

/** Values that mean the same as nothing. */
const defaults: Readonly<Record<string, unknown>> = {
  force: false,
  prune: false,
  wait: false,
  suspend: false,
  deletionPolicy: "MirrorPrune",
  ignoreMissingComponents: false,
  optional: false,
  substituteStrategy: "WithVariables",
  namespace: "flux-system",
};
const durations: ReadonlySet<string> = new Set(["interval", "retryInterval", "timeout"]);

/**
 * A value with every spelling of the same thing made one: durations as seconds, folders from the root, defaults left out,
 * and what Arcflux adds under names of its own. Two Kustomizations with equal meanings are one to Flux.
 */
export function meaningOf(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => meaningOf(item));
  if (typeof value === "string" && durations.has(key)) return durationSeconds(value);
  if (typeof value === "string" && key === "path")
    return `/${value}`.replace(/\/(\.?\/)*/g, "/").replace(/\/\.?$/, "");
  if (!isMap(value)) return value;
  const entries = Object.entries(value)
    .filter(([name, inner]) => inner !== null && inner !== undefined && inner !== defaults[name])
    .map(([name, inner]) => [name, meaningOf(inner, name)] as const)
    .filter(
      ([, inner]) =>
        !(isMap(inner) && Object.keys(inner).length === 0) && !(Array.isArray(inner) && inner.length === 0),
    )
    .filter(([name, inner]) => !/^arcflux(\.io\/|_)/.test(name) && !(name === "path" && inner === ""));
  return Object.fromEntries(entries);
}
