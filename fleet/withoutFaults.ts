import type { Path } from "./finding.ts";

/** Stands in for what is required and missing, so that the rest of the file can be checked in the same go. */
const substitutes = { apiVersion: "arcflux/v1", repository: {}, clusters: {} };
const substituteUrls = { other: "https://git.invalid/missing", ssh: "ssh://git@git.invalid/missing" };

/** Stands in for a faulty name in a list, so that those after it keep their indexes and with them their positions. */
export const faultyName = "\u0000";

/** A copy of a file without the values at some paths. */
export function withoutFaults(data: object, faulty: readonly Path[]): unknown {
  const rest = structuredClone(data) as Record<string, unknown>;
  for (const path of faulty) remove(rest, path);
  const whole: Record<string, unknown> = { ...substitutes, ...rest };
  const repository = whole.repository as { access?: unknown };
  whole.repository = { url: substituteUrls[repository.access === "ssh" ? "ssh" : "other"], ...repository };
  return whole;
}

export function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string | number, unknown>)[part]
        : undefined,
    data,
  );
}

function remove(rest: Record<string, unknown>, path: Path): void {
  const parent = valueAt(rest, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || typeof parent !== "object" || parent === null) return;
  if (Array.isArray(parent)) {
    if (["dependsOn", "sets", "removed"].includes(String(path.at(-2)))) parent[Number(last)] = faultyName;
    else remove(rest, path.slice(0, -1));
  } else if (isEntry(path) && !isEmptyMap((parent as Record<string, unknown>)[last])) {
    // A faulty set or cluster still exists: others may depend on it.
    (parent as Record<string, unknown>)[last] = {};
  } else {
    delete (parent as Record<string, unknown>)[last];
  }
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Whether a path is that of a set, a shared one or a cluster's, or of a cluster. */
function isEntry(path: Path): boolean {
  const [section, , part] = path;
  if (path.length === 2) return section === "sets" || section === "clusters";
  return path.length === 4 && part === "sets" && ["stages", "groups", "clusters"].includes(String(section));
}
