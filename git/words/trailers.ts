/** Prefix of every trailer this layer writes; a message that holds a line of that form is refused. */
export const trailerPrefix = "Arcflux-";

const longest = 500;

/** A value on one line: what git reads as one trailer, whatever the value holds. */
export function oneLine(value: string): string {
  const flat = value.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return flat.length <= longest ? flat : `${flat.slice(0, longest).toWellFormed()}…`;
}

/** The message with trailers at its end, where `git log --format='%(trailers:key=…)'` finds them. Empty values are left out. */
export function withTrailers(
  message: string,
  trailers: Readonly<Record<string, string | undefined>>,
): string {
  const lines = Object.entries(trailers)
    .map(([key, value]) => [key, oneLine(value ?? "")] as const)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}: ${value}`);
  const text = message.trimEnd();
  if (lines.length === 0) return `${text}\n`;
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.at(-1) ?? "";
  // git reads the last paragraph alone, so trailers that are there already are joined.
  const joined = paragraphs.length > 1 && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${joined ? "\n" : "\n\n"}${lines.join("\n")}\n`;
}
