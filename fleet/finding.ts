import { saidOnce } from "./alike.ts";
import { mayBeSecret } from "../values/secretShapes.ts";
import { printable, quoted } from "../values/show.ts";

/** One fault of a fleet file. Errors stop everything; warnings are only shown. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** The file as the user named it. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units, as editors do. */
  readonly column: number;
  /** Where in the file, such as `clusters.edge-device-0.sets.pos.interval`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong; what is allowed. */
  readonly message: string;
  /** Name of the judgement on what the sets apply that found it, for `--ignore NAME`. */
  readonly judgement?: string;
}

/** Way to a value: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

/** One line for people and for editors that jump to `file:line:column`. */
export function formatFinding(finding: Finding): string {
  const { path, message, judgement } = finding;
  const name = judgement === undefined ? "" : ` [${judgement}]`;
  return `${headOf(finding)}${path === "" ? "" : `${path}: `}${message}${name}`;
}

/** The beginning of that line: the place, and what is no error; `fleet.yaml:3:5: warning: `. */
export function headOf({ file, line, column, severity }: Finding): string {
  // Where no file was named there is no place in it either.
  const place = file === "" ? "" : `${printable(file)}:${line}:${column}: `;
  return `${place}${severity === "warning" ? "warning: " : ""}`;
}

/** A fleet file has some eight levels; what is deeper is shortened in messages. */
const longestPath = 20;

/**
 * Writes a path as in messages; a key that is no plain word stands in brackets: `labels["example.com/tier"]`. Of a path
 * that is very long, the middle is left out: `clusters.a.b…y.z`.
 */
export function formatPath(path: Path): string {
  return path.length > longestPath ? `${joined(path.slice(0, 8))}…${joined(path.slice(-4))}` : joined(path);
}

function joined(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    // A token that became a key by mistake.
    if (mayBeSecret(part)) return `${text}[this key]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${quoted(part)}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** Sorted by position, each once; what holds alike for many clusters or sets is said once, with names and a count. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  return saidOnce(sorted(findings));
}

/** Sorted by position, each once. */
export function sorted(findings: readonly Finding[]): Finding[] {
  const once = new Map(findings.map((finding) => [formatFinding(finding), finding]));
  return [...once.values()].sort(
    (a, b) => byText(a.file, b.file) || a.line - b.line || a.column - b.column || byText(a.path, b.path),
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
