import type { Plain, PlainMap } from "../fleet/model.ts";
import type { YamlMap, YamlValue } from "./yaml.ts";

/** Keys that say what an object is come before those that say what it does. */
const leading = ["apiVersion", "kind", "metadata", "name", "namespace"] as const;

/**
 * The fields of a map in a known order, then any others sorted; undefined ones are left out. What is inside them gets an
 * order too, so that the order in the fleet file changes no byte: see {@link sorted}.
 */
export function ordered(map: PlainMap, fields: readonly string[]): YamlMap {
  const result: Record<string, YamlValue> = {};
  for (const field of fields) {
    const value = map[field];
    if (value !== undefined) result[field] = sorted(value);
  }
  const others = Object.keys(map).filter((key) => !fields.includes(key));
  for (const key of others.sort()) {
    const value = map[key];
    if (value !== undefined) result[key] = sorted(value);
  }
  return result;
}

/** The value with the keys of every map in it sorted, those that identify an object first. Lists keep their order. */
export function sorted(value: Plain): YamlValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Plain[]).map(sorted);
  return ordered(value as PlainMap, leading);
}

/** A map of names, such as labels, sorted; undefined when it is empty, so that nothing is written. */
export function sortedNames(map: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const keys = Object.keys(map);
  if (keys.length === 0) return undefined;
  const result: Record<string, string> = {};
  for (const key of keys.sort()) result[key] = map[key]!;
  return result;
}
