import { type Finding, type Path } from "./finding.ts";
import { isMap, joinSections, type Owner } from "./joinSections.ts";
import { includableKeys } from "./schema.ts";
import { show } from "../values/show.ts";
import { parseSource, type Position, type Source } from "./source.ts";
import { isFree, isText } from "./textPaths.ts";

/** One file that a pattern of `include` stands for: its text, or why there is none. `file` is its name in findings. */
export type Included =
  { readonly file: string; readonly text: string } | { readonly file: string; readonly fault: string };

/** The files of one pattern of `include`, sorted by name; or why the pattern itself is refused. */
export type Include = (pattern: string) => readonly Included[] | { readonly refused: string };

/** The fleet file and those it includes as one value, which can say where each part of it stands. */
export interface Documents {
  /** What could be read; undefined when nothing of the fleet file could. */
  readonly data: unknown;
  /** Whether that is all: not when a file is missing or faulty as YAML, so that what is not in `data` may be there. */
  readonly complete: boolean;
  readonly findings: readonly Finding[];
  /** Keys with nothing after the colon. */
  readonly blanks: readonly Path[];
  /** The single value at a path as its file spells it; undefined for anything else, and behind an alias. */
  readonly written: (path: Path) => string | undefined;
  readonly position: (path: Path, at?: "key" | "value") => Position;
  readonly finding: (
    severity: Finding["severity"],
    path: Path,
    message: string,
    at?: "key" | "value",
  ) => Finding;
}

type Plain = Record<string, unknown>;

const mainKinds = {
  isText,
  isFree,
  least: "a fleet file has at least apiVersion, repository and clusters",
};
const includedKinds = { isText, isFree, least: `an included file has some of ${includableKeys.join(", ")}` };

/** Reads a fleet file and what it includes. */
export function readDocuments(text: string, file: string, include?: Include): Documents {
  const main = parseSource(text, file, mainKinds);
  const { sources, findings } = isMap(main.data)
    ? includedSources(main.data, main, include)
    : { sources: [], findings: [] };
  // Whatever kept a file from being read is an error by now; an `include` that is not a list is one of the schema.
  const missing = findings.length > 0 || (isMap(main.data) && !isListOrAbsent(main.data.include));
  const owners = new Map<string, Owner>();
  const ownerOf = (path: Path): Owner =>
    (path.length > 1 && owners.get(`${String(path[0])}/${String(path[1])}`)) || { source: main };
  const data = sources.reduce<unknown>(
    (all, one) => (one.data === undefined ? all : joinSections(all, one, main, owners, findings)),
    main.data,
  );

  return {
    data,
    complete: !missing && [main, ...sources].every(({ complete, data }) => complete && data !== undefined),
    findings: [...main.findings, ...sources.flatMap((source) => source.findings), ...findings],
    blanks: [...main.blanks, ...sources.flatMap(({ blanks }) => blanks)],
    written: (path) => {
      const { source, index } = ownerOf(path);
      return source.written(within(path, index));
    },
    position: (path, at) => {
      const { source, index } = ownerOf(path);
      return source.position(within(path, index), at);
    },
    finding: (severity, path, message, at) => {
      const { source, index } = ownerOf(path);
      return source.finding(severity, within(path, index), message, at);
    },
  };
}

/** The path in the file itself, where an entry of a list has another index than in all files together. */
function within(path: Path, index: number | undefined): Path {
  return index === undefined ? path : [...path.slice(0, 1), index, ...path.slice(2)];
}

function isListOrAbsent(include: unknown): boolean {
  return include === undefined || include === null || Array.isArray(include);
}

/** The included files that can be read, and why others cannot. */
function includedSources(
  main: Plain,
  source: Source,
  include: Include | undefined,
): { sources: Source[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const patterns = Array.isArray(main.include) ? (main.include as unknown[]) : [];
  const seen = new Set<string>([source.file]);
  const sources = patterns.flatMap((pattern, index) => {
    if (typeof pattern !== "string" || pattern === "") return [];
    const path = ["include", index];
    if (!include) {
      findings.push(source.finding("error", path, "cannot be followed: no other files are at hand here"));
      return [];
    }
    const files = foundBy(pattern, include);
    if ("refused" in files) {
      findings.push(source.finding("error", path, `${show(pattern)} ${files.refused}`));
      return [];
    }
    return files.flatMap((one): Source[] => {
      if (seen.has(one.file)) return [];
      seen.add(one.file);
      if ("text" in one) return [parseSource(one.text, one.file, includedKinds)];
      findings.push({ severity: "error", file: one.file, line: 1, column: 1, path: "", message: one.fault });
      return [];
    });
  });
  return { sources, findings };
}

/** A pattern without a file is a fault: clusters that it stood for would be missing, and their objects deleted. */
function foundBy(pattern: string, include: Include): ReturnType<Include> {
  const sign = /[?[\]{}]/.exec(pattern)?.[0];
  if (sign !== undefined)
    return { refused: `has ${sign}, which stands for nothing; only * and ** are known, so write those` };
  const files = include(pattern);
  if (!("refused" in files) && files.length === 0)
    return { refused: "matches no file, so what it stood for would be missing; correct or drop it" };
  return files;
}
