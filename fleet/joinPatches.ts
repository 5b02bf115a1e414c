import { isDeepStrictEqual } from "node:util";
import { isMap } from "../values/maps.ts";
import type { AppPatch, PatchTarget, PlainMap } from "./model.ts";

/**
 * Patches that are applied one after the other, as few that do the same: two for one target become one, field by field,
 * where kustomize would make the same of both. It merges some lists by a key, so a list over a list stays a patch of its
 * own, and so does a map over what was no map.
 */
export function joinPatches(patches: readonly AppPatch[]): AppPatch[] {
  const joined: AppPatch[] = [];
  for (const { target, patch } of patches) {
    // A patch may only go before those that are surely for other objects.
    const at = joined.findLastIndex((one) => !areApart(one.target, target));
    const before = joined[at];
    const both =
      before && isDeepStrictEqual(before.target, target) ? overMap(before.patch, patch) : undefined;
    if (both === undefined) joined.push({ target, patch });
    else joined[at] = { target, patch: both };
  }
  return joined;
}

/** Whether two targets have no object in common. Names and kinds of targets are regular expressions. */
function areApart(one: PatchTarget, other: PatchTarget): boolean {
  return (["kind", "name"] as const).some(
    (field) => one[field] !== other[field] && isPlain(one[field]) && isPlain(other[field]),
  );
}

function isPlain(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

/** One map that does what both do; undefined where there is none. */
function overMap(before: PlainMap, after: PlainMap): PlainMap | undefined {
  // Directives such as `$patch: replace` say what is done with the map beside them.
  if (hasDirective(before) || hasDirective(after)) return undefined;
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const there = before[key];
    if (there === undefined || !(isMap(value) || Array.isArray(value))) {
      merged[key] = value;
      continue;
    }
    const both = isMap(there) && isMap(value) ? overMap(there, value) : undefined;
    if (both === undefined) return undefined;
    merged[key] = both;
  }
  return merged as PlainMap;
}

function hasDirective(map: PlainMap): boolean {
  return Object.keys(map).some((key) => key.startsWith("$"));
}
