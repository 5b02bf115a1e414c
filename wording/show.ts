import { mayBeSecret } from "./secretShapes.ts";

/** A value received, as messages show it: short, on one line, text in quotes; what looks like a secret is not shown. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    if (mayBeSecret(value)) return "this value";
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  }
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : typeof value;
}

/** Names in a sentence: all of them while they are few. */
export function showNames(names: Iterable<string>, most = 20): string {
  const all = [...names];
  const shown = all.slice(0, most).join(", ");
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
