/** A map as Pulumi and YAML know it. */
export type PlainMap = Readonly<Record<string, unknown>>;

/** The value if it is a map, else undefined. */
export function asMap(value: unknown): PlainMap | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as PlainMap)
    : undefined;
}

/** The value if it is text that says something, else undefined. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A value as a message shows it; only for values that cannot be secret. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "not given";
  return typeof value === "string" ? `'${value}'` : JSON.stringify(value);
}
