/** What generated files are made of. Undefined fields of a map are left out. */
export type YamlValue =
  string | number | boolean | null | readonly YamlValue[] | { readonly [key: string]: YamlValue | undefined };
export type YamlMap = { readonly [key: string]: YamlValue | undefined };

/**
 * An ordinary word, path or API name, which no YAML 1.1 or 1.2 reader takes for anything but text. It starts with a
 * letter, or with ./ and a letter, so no number, date, time or sign comes near it.
 */
const plain = /^(?:\.\/)?[A-Za-z][A-Za-z0-9]*(?:[-_./][A-Za-z0-9]+)*$/;

/** Words that some reader takes for a boolean, a null or a number; `e0` is a number in YAML 1.1, an exponent of nothing. */
const reserved = /^(?:e[-_.\d]*|y|n|yes|no|on|off|true|false|null|nil|none|undefined|nan|inf|infinity)$/i;

/** JSON leaves these as they are; a YAML reader may take them for line breaks, drop them, or refuse them. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Maps whose values are quoted even where they need not be: what Flux substitutes is text, and should look it. */
const quotedMaps: ReadonlySet<string> = new Set(["substitute"]);

/** Characters that a literal block cannot hold, or that some reader drops. A tab and a line break are none. */
const notInLines = /(?![\t\n])[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u;

/**
 * Writes one YAML document: block style, two spaces, no folded lines, keys in the order given, LF, a final newline. Only
 * files in the `data` of a ConfigMap keep their lines, for whoever reviews them. The only writer of YAML in Arcflux. `note` becomes a comment on the first line, or on one line for each of its own.
 */
export function toYaml(value: YamlMap, note: string): string {
  return `${comment(note)}${mapLines(value, "", false)}`;
}

/** Writes several documents into one file, `---` before each. */
export function toYamlDocuments(values: readonly YamlMap[], note: string): string {
  return `${comment(note)}${values.map((value) => `---\n${mapLines(value, "", false)}`).join("")}`;
}

function comment(note: string): string {
  let text = "";
  for (const line of note.split("\n")) text += line === "" ? "#\n" : `# ${line}\n`;
  return text;
}

function mapLines(map: YamlMap, indent: string, quote: boolean, lines = false): string {
  let text = "";
  for (const key in map) {
    const value = map[key];
    if (value === undefined) continue;
    const start = `${indent}${scalar(key, false)}:`;
    text +=
      lines && typeof value === "string" && isLines(value)
        ? `${start} |\n${block(value, `${indent}  `)}`
        : `${start}${after(value, indent, quote || quotedMaps.has(key), indent === "" && key === "data")}`;
  }
  return text;
}

/** Whether a text reads back the same, to the byte, from the lines of a literal block. */
function isLines(text: string): boolean {
  return /^\S/.test(text) && /[^\n]\n$/.test(text) && text.isWellFormed() && !notInLines.test(text);
}

/** A literal block: its lines as they are, each behind the indent; empty ones stay empty. */
function block(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}

/** What follows a key: a value on the same line, or a collection on the next ones. */
function after(value: YamlValue, indent: string, quote: boolean, lines: boolean): string {
  if (typeof value !== "object" || value === null) return ` ${scalar(value, quote)}\n`;
  if (isList(value)) return value.length === 0 ? " []\n" : `\n${listLines(value, `${indent}  `, quote)}`;
  return isEmpty(value) ? " {}\n" : `\n${mapLines(value, `${indent}  `, quote, lines)}`;
}

function listLines(list: readonly YamlValue[], indent: string, quote: boolean): string {
  let text = "";
  for (const item of list) {
    if (typeof item !== "object" || item === null) text += `${indent}- ${scalar(item, quote)}\n`;
    else if (isList(item))
      text += item.length === 0 ? `${indent}- []\n` : `${indent}-\n${listLines(item, `${indent}  `, quote)}`;
    else if (isEmpty(item)) text += `${indent}- {}\n`;
    // The first key of a map stands on the line of its dash.
    else text += `${indent}- ${mapLines(item, `${indent}  `, quote).slice(indent.length + 2)}`;
  }
  return text;
}

function scalar(value: string | number | boolean | null, quote: boolean): string {
  if (typeof value === "string") return quote || !isPlain(value) ? quoted(value) : value;
  return typeof value === "number" ? numeral(value) : String(value);
}

/** YAML 1.1 takes an exponent for one only behind a decimal point. */
function numeral(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value) || Number.isInteger(value)) {
    throw new TypeError(`${value} is a number whose digits are not all kept; write it as text.`);
  }
  return String(value).replace(/^(-?\d+)e/, "$1.0e");
}

function isPlain(text: string): boolean {
  return plain.test(text) && !reserved.test(text);
}

/** Double quotes with the escapes that JSON and YAML share, so line breaks and long lines stay on one line. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isList(value: object): value is readonly YamlValue[] {
  return Array.isArray(value);
}

function isEmpty(map: YamlMap): boolean {
  for (const key in map) if (map[key] !== undefined) return false;
  return true;
}
