import { mayBeSecret } from "./secretShapes.ts";

/** A value received, as messages show it: short, on one line, text in quotes; what looks like a secret is not shown. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    if (mayBeSecret(value)) return "this value";
    return quoted(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  }
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : typeof value;
}

/** A text in quotes, on one line. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/**
 * A text in which nothing steers a terminal, begins a line, turns the direction of reading or is a command to a CI system:
 * `\u202e` is spelled out.
 */
export function printable(text: string): string {
  return harmless(text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, spelled));
}

/** A text of several lines in which no line is a command to GitHub's runner (`::`) or Azure's agent (`##vso[`, `##[`). */
export function harmless(text: string): string {
  return text.replace(
    /^(\s*):(?=:)|#(?=#(?:vso)?\[)/gm,
    (found) => `${found.slice(0, -1)}${spelled(found.slice(-1))}`,
  );
}

/** Names in a sentence of which few will do: `store-001, store-002, store-003 and 36 more`. */
export function showSome(names: Iterable<string>): string {
  return showNames(names, 3);
}

function spelled(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Names in a sentence: all of them while they are few. */
export function showNames(names: Iterable<string>, most = 20): string {
  const all = [...names];
  const shown = all.slice(0, most).join(", ");
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

/** Kinds of change, a line each, of which a log gets the first ones and how many more there are. */
export function showKinds(lines: readonly string[], most = 20): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} kinds of change more`] : [...lines];
}
