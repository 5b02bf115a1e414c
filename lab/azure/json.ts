/** Plain JSON values as they come over the wire. */
export type Json = Record<string, unknown>;

/** The value as an object; an empty one when it is none. */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as it is shown in a refusal: quoted when it is text, as JSON when it is anything else. */
export function show(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : (JSON.stringify(value) ?? "nothing");
}

/** The object without some of its keys. */
export function without(value: Json, ...keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
