import { probable } from "./nearest.ts";

/** Names that the template of a commit's message may hold in braces, such as `{cluster}`; git/ fills them in. */
export const messageFields = [
  "cluster",
  "changes",
  "count",
  "directory",
  "branch",
  "stack",
  "project",
  "stage",
  "operation",
  "version",
  "summary",
] as const;
export type MessageField = (typeof messageFields)[number];

const allowed = messageFields.map((name) => `{${name}}`).join(", ");

/** What is wrong with the template of a commit's message, or undefined. */
export function messageFault(message: string): string | undefined {
  const [subject = ""] = message.split("\n");
  // A cluster without a stage has nothing to put there.
  if (subject.replaceAll("{stage}", "").trim() === "")
    return `has no subject; begin with a line of text, which may hold ${allowed}`;
  if (/[^\P{Cc}\t\n\r]/u.test(message)) return "has a control character; write text, in one line or several";
  const unknown = [...message.matchAll(/\{([\w-]*)\}/g)].find(
    ([, name]) => !(messageFields as readonly (string | undefined)[]).includes(name),
  );
  if (unknown) {
    const near = probable(unknown[1] ?? "", messageFields);
    const hint = near === undefined ? "" : `. Did you mean {${near}}?`;
    return `has the placeholder ${unknown[0]}; a message may hold ${allowed}${hint}`;
  }
  if (/^Arcflux-[A-Za-z-]+\s*:/im.test(message))
    return "has a line that starts with Arcflux-, as the trailers do that say where a commit is from; word it otherwise";
  return undefined;
}
