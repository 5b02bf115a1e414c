import { formatFinding, type Finding } from "../fleet/finding.ts";
import type { Terminal } from "./terminal.ts";

/** Prints findings one a line, with a count at the end where there are several. */
export function report(findings: readonly Finding[], terminal: Terminal): void {
  for (const finding of findings) terminal.err(`${formatFinding(finding)}\n`);
  if (findings.length > 1) terminal.err(`${count(findings)}\n`);
}

function count(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return [plural(errors, "error"), plural(findings.length - errors, "warning")].filter(Boolean).join(", ");
}

/** `1 set`, `2 sets`; empty for none. */
export function plural(number: number, word: string): string {
  return number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`;
}
