import { namesSecret } from "./secretName.ts";
import { secretShape } from "./secretShapes.ts";

const base64 = /^[A-Za-z0-9+/\s]{24,}={0,2}$/;
const printable = /^[\t\n\r\x20-\x7e]+$/;

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

/**
 * What kind of secret a variable holds in plain text, told by its value or else by its name: `a GitHub token`.
 * Undefined when it holds none. The value itself is never part of the answer.
 */
export function plainTextSecret(name: string, value: unknown): string | undefined {
  const text = withoutDefault(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const shape = secretShape(text) ?? secretShape(decoded(text));
  if (shape) return shape;
  if (!namesSecret(name) || text === "" || standsForNone.some((pattern) => pattern.test(text)))
    return undefined;
  return "a value that its name calls a secret";
}

/** `${X}` refers to something else, `${X:=y}` holds y. */
function withoutDefault(value: string): string {
  const reference = /^\s*\$\{\w+(?::?[-=](.*))?\}\s*$/s.exec(value);
  return (reference ? (reference[1] ?? "") : value).trim();
}

function decoded(text: string): string {
  if (!base64.test(text)) return "";
  const plain = Buffer.from(text, "base64").toString("latin1");
  return printable.test(plain) ? plain : "";
}
