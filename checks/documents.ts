import { parseAllDocuments } from "yaml";

/** A document of a YAML file as plain values. */
export type YamlMap = Readonly<Record<string, unknown>>;

/**
 * The documents of a YAML file that are maps; undefined where a part of it cannot be read as YAML. Written as Flux reads
 * it: empty documents count for nothing.
 */
export function documents(text: string): readonly YamlMap[] | undefined {
  try {
    const all = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent", version: "1.1" });
    if (!Array.isArray(all) || all.some(({ errors }) => errors.length > 0))
      return Array.isArray(all) ? undefined : [];
    return all.map((document) => document.toJS({ maxAliasCount: 1000 }) as unknown).filter(isMap);
  } catch {
    // Nested too deeply, or more aliases than anything written by hand has.
    return undefined;
  }
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
