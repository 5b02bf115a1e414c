import { namesSecret } from "./secretName.ts";
import { secretShape } from "./secretShapes.ts";

/** What is in no base64; a pattern for all of it would be too deep for megabytes. */
const notBase64 = /[^\w+/\s-]/;
/** A word that may be base64 of something, in the alphabet of URLs too. */
const base64Words = /[\w+/-]{24,}={0,2}/g;
const notPrintable = /[^\t\n\r\x20-\x7e]/;

/** Values that stand for a secret that is elsewhere, or for none. */
const standsForNone = [
  /^(?:true|false|yes|no|on|off|enabled|disabled|none|null|nil|unset|n\/a)$/i,
  /^(?:x{3,}|\*{3,}|\.{3,}|todo|tbd|fixme|dummy|placeholder|redacted|change-?_?me|replace-?_?me|your[-_ ].*)$/i,
  /^(?:<[^>]*>|\$\(\w+\)|\{\{.*\}\}|@Microsoft\.KeyVault\(.*\)|ENC\[.*\])$/is,
  /^(?:vault|ref\+\w+|secretref|azurekeyvault|akv):/i,
  // An address or an image; one with a password in it has a shape of its own.
  /^https?:\/\/[^@?]+$/i,
  /^(?:\S+@)?sha(?:256|512):[0-9a-f]+$/,
];

/** How many times what is wrapped in base64 or in the escapes of URLs is unwrapped. */
const mostWraps = 3;

/**
 * What kind of secret a text holds in plain text, also where it is wrapped in base64 or in the escapes of URLs, or is a word
 * of it that is: `a GitHub token`. Undefined when it holds none. The text itself is never part of the answer.
 */
export function heldSecret(text: string, wraps = mostWraps): string | undefined {
  if (text.length < 9) return undefined;
  const kind = shapeIn(text);
  if (kind !== undefined || wraps === 0) return kind;
  // Somebody's archive is unwrapped once: each time takes as long as it is.
  for (const inner of text.length > pieceLength ? [decoded(text)] : unwrapped(text)) {
    const found = heldSecret(inner, wraps - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What patterns look at in one go: a greedy one over megabytes is deeper than they may be. */
const [pieceLength, overlap] = [1 << 18, 1 << 12];

function shapeIn(text: string): string | undefined {
  for (let at = 0; at < text.length; at += pieceLength - overlap) {
    const kind = secretShape(text.slice(at, at + pieceLength));
    if (kind !== undefined || at + pieceLength >= text.length) return kind;
  }
  return undefined;
}

/** Whether a variable is called a secret and holds more than a placeholder for one. */
export function calledSecret(name: string, value: string): boolean {
  const text = withoutDefault(value);
  if (!namesSecret(name) || text === "") return false;
  return text.length > pieceLength || !standsForNone.some((pattern) => pattern.test(text));
}

/** What kind of secret a variable holds in plain text, told by its value or else by its name. */
export function plainTextSecret(name: string, value: unknown): string | undefined {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const held = heldSecret(withoutDefault(text));
  return held ?? (calledSecret(name, text) ? "a value that its name calls a secret" : undefined);
}

/** A text somewhere in a tree of plain values, and the kind of secret that it holds. */
export interface FoundSecret {
  readonly path: readonly (string | number)[];
  readonly kind: string;
}

/** Every text of a tree of plain values that holds a secret, be it a key or a value. */
export function secretsIn(value: unknown, path: readonly (string | number)[] = []): FoundSecret[] {
  if (typeof value === "string") {
    const kind = heldSecret(value);
    return kind === undefined ? [] : [{ path, kind }];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => secretsIn(item, [...path, at]));
  return Object.entries(value).flatMap(([key, item]) => {
    const kind = heldSecret(key);
    return [...(kind === undefined ? [] : [{ path, kind }]), ...secretsIn(item, [...path, key])];
  });
}

/** `${X}` refers to something else, `${X:=y}` holds y. */
function withoutDefault(value: string): string {
  if (value.length > pieceLength) return value.trim();
  const reference = /^\s*\$\{\w+(?::?[-=](.*))?\}\s*$/s.exec(value);
  return (reference ? (reference[1] ?? "") : value).trim();
}

/** What a text may be another form of. */
function* unwrapped(text: string): Generator<string> {
  const unescaped = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (unescaped !== text) yield unescaped;
  // Over several lines, as base64 prints it, it is no word.
  const whole = decoded(text);
  if (whole !== "") yield whole;
  else for (const [word] of text.matchAll(base64Words)) yield decoded(word);
}

function decoded(text: string): string {
  const body = text.endsWith("==") ? text.slice(0, -2) : text.endsWith("=") ? text.slice(0, -1) : text;
  if (body.length < 24 || notBase64.test(body)) return "";
  const plain = Buffer.from(text, "base64").toString("latin1");
  return notPrintable.test(plain) ? "" : plain;
}
