import type { Json } from "../azure/json.ts";
import { isObject } from "../azure/json.ts";
import { isUnknown } from "./values.ts";

export type Change = "add" | "delete" | "update";

/**
 * What differs between two sets of inputs: from property path, as Pulumi writes it, to the kind of change.
 * A value that is null or left out is the same; one not known yet counts as changed.
 */
export function detailedDiff(before: Json, after: Json): Map<string, Change> {
  const changes = new Map<string, Change>();
  const compare = (old: unknown, now: unknown, at: string): void => {
    const [hadValue, hasValue] = [old !== undefined && old !== null, now !== undefined && now !== null];
    if (!hadValue && !hasValue) return;
    if (!hadValue || !hasValue) changes.set(at, hadValue ? "delete" : "add");
    else if (isObject(old) && isObject(now)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
        compare(old[key], now[key], joined(at, key));
      }
    } else if (Array.isArray(old) && Array.isArray(now)) {
      const length = Math.max(old.length, now.length);
      for (let index = 0; index < length; index++) compare(old[index], now[index], `${at}[${index}]`);
    } else if (isUnknown(now) || old !== now) changes.set(at, "update");
  };
  compare(before, after, "");
  return changes;
}

/** The first key of a property path. */
export function topLevelKey(path: string): string {
  return /^\["(.*?)"\]/.exec(path)?.[1] ?? /^[^.[]*/.exec(path)?.[0] ?? path;
}

function joined(at: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${at}["${key.replaceAll('"', '\\"')}"]`;
  return at === "" ? key : `${at}.${key}`;
}
