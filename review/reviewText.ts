import { formatFinding, type Finding } from "../fleet/finding.ts";
import { printable } from "../values/show.ts";
import type { Preview } from "./previewEvents.ts";

/** The first line of the comment, invisible on all hosts, by which it is found again. */
export const marker = "<!-- arcflux review -->";

/** What a comment says, part by part. */
export interface Review {
  /** Of validation and policies, in order. */
  readonly findings: readonly Finding[];
  readonly preview?: Preview | undefined;
  readonly parts: readonly Part[];
  /** What whoever reads it has to know or do, such as that an approval is needed. */
  readonly notes: readonly string[];
}

export interface Part {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** GitHub takes 65,536 characters, the others more. */
const longest = 60_000;
const mostFindings = 50;

/** The comment of a pull request in Markdown, worst first, cut to what every host takes. */
export function reviewText({ findings, preview, parts, notes }: Review): string {
  const text = [
    `## Arcflux: ${verdictOf(findings, preview)}`,
    ...notes.map((note) => `**${inline(note)}**`),
    ...(findings.length > 0 ? [list(findings)] : []),
    ...(preview === undefined ? [] : [previewText(preview)]),
    ...parts.map(({ title, text }) => folded(title, text)),
  ].join("\n\n");
  if (text.length <= longest) return `${text}\n`;
  // A part that is cut leaves its fold open.
  return `${text.slice(0, longest)}\n\n</details>\n\nThe rest is in the log of the pipeline.\n`;
}

function verdictOf(findings: readonly Finding[], preview: Preview | undefined): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (errors > 0) return `${errors} ${errors === 1 ? "error stops" : "errors stop"} this change`;
  if (preview !== undefined && preview.errors.length > 0) return "the preview failed";
  const warnings = findings.length - errors;
  return warnings > 0 ? `nothing stops this change, ${warnings} to look at` : "nothing stops this change";
}

function list(findings: readonly Finding[]): string {
  const lines = findings.slice(0, mostFindings).map((finding) => {
    const { file, line, severity } = finding;
    const place = file === "" ? "" : `\`${inline(`${file}:${line}`)}\` `;
    const text = formatFinding({ ...finding, file: "", severity: "error" });
    return `- ${place}${severity === "error" ? "**error**" : "warning"}: ${inline(text)}`;
  });
  const more = findings.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more, in the log of the pipeline`] : [])].join("\n");
}

function previewText({ changes, errors }: Preview): string {
  const kinds = Object.entries(changes ?? {}).filter(([kind, count]) => kind !== "same" && count > 0);
  const resources = kinds.map(([kind, count]) => `${count} to ${kind}`).join(", ");
  const done = `Pulumi's resources: ${resources === "" ? "nothing changes" : resources}.`;
  if (errors.length === 0) return done;
  // A fence that no message closes.
  return [
    "The preview failed:",
    "",
    "````text",
    ...errors.map((error) => error.replaceAll("````", "''''")),
    "````",
  ].join("\n");
}

function folded(title: string, text: string): string {
  return `<details><summary>${inline(title)}</summary>\n\n${text.trim()}\n\n</details>`;
}

/** Text of manifests and messages stays text: no HTML, no mention of people, no end of a code span. */
function inline(text: string): string {
  return printable(text.replace(/[\r\n]+/g, " "))
    .replace(/[<>&]/g, (sign) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[sign] ?? sign)
    .replaceAll("@", "@\u200b")
    .replaceAll("`", "'");
}
