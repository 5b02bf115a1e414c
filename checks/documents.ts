import { readYaml } from "../flux/readYaml.ts";

/** A document of a YAML file as plain values. */
export type YamlMap = Readonly<Record<string, unknown>>;

/**
 * The documents of a YAML file that are maps; undefined where a part of it cannot be read. Written as Flux reads it: empty
 * documents count for nothing.
 */
export function documents(text: string): readonly YamlMap[] | undefined {
  const read = readYaml(text, { version: "1.1" });
  return "fault" in read ? undefined : read.documents.filter(isMap);
}

/** Whether a value is a map of YAML. */
export function isMap(value: unknown): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that should be a map, as one. */
export function asMap(value: unknown): YamlMap {
  return isMap(value) ? value : {};
}

/** A value that should be a list, as one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value that should be text: undefined where it is not, or is empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
