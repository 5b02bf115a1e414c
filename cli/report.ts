import { formatFinding, headOf, type Finding } from "../fleet/finding.ts";
import type { Terminal } from "./terminal.ts";

/** Prints findings one a line, with a count at the end where there are several. */
export function report(findings: readonly Finding[], terminal: Terminal): void {
  for (const finding of findings) terminal.err(`${painted(finding, terminal)}\n`);
  if (findings.length > 1) terminal.err(`${count(findings)}\n`);
}

/** Warnings as errors, which is what --strict is for. */
export function asErrors(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding, severity: "error" }));
}

/** Whether any of them stops an update. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

/** The place in the colour of the severity: the rest of the line is to be read. */
function painted(finding: Finding, { paint }: Terminal): string {
  const place = headOf(finding).trimEnd();
  const colour = finding.severity === "error" ? "red" : "yellow";
  return paint(colour, place) + formatFinding(finding).slice(place.length);
}

function count(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return [plural(errors, "error"), plural(findings.length - errors, "warning")].filter(Boolean).join(", ");
}

/** `1 set`, `2 sets`; empty for none. */
export function plural(number: number, word: string): string {
  return number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** How many of all files were written below a folder, since the others said the same already. */
export function writtenText(out: string, written: number, all: number): string {
  const rest = all - written;
  return `${plural(written, "file") || "No file"} written below ${out}${rest > 0 ? `, ${rest} up to date` : ""}.`;
}
