import { type Finding, type Path } from "./finding.ts";
import { nearest } from "../wording/nearest.ts";
import { includableKeys } from "./schema.ts";
import { show } from "../wording/show.ts";
import { parseSource, type Position, type Source } from "./source.ts";
import { isFree, isText } from "./textPaths.ts";

/** One file that a pattern of `include` stands for: its text, or why there is none. `file` is its name in findings. */
export type Included =
  { readonly file: string; readonly text: string } | { readonly file: string; readonly fault: string };

/** The files of one pattern of `include`, sorted by name; or why the pattern itself is refused. */
export type Include = (pattern: string) => readonly Included[] | { readonly refused: string };

/** The fleet file and those it includes as one value, which can say where each part of it stands. */
export interface Documents {
  /** Undefined when one of the files could not be read. */
  readonly data: unknown;
  readonly findings: readonly Finding[];
  /** Keys with nothing after the colon. */
  readonly blanks: readonly Path[];
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
  const findings = [...main.findings];
  const others = isMap(main.data) ? includedSources(main.data, main, include, findings) : [];
  const owners = new Map<string, Source>();
  const ownerOf = (path: Path) =>
    (path.length > 1 && owners.get(`${String(path[0])}/${String(path[1])}`)) || main;
  const readable = main.data !== undefined && others.every(({ data }) => data !== undefined);
  const data = readable
    ? others.reduce<unknown>((all, one) => joined(all, one, main, owners, findings), main.data)
    : undefined;

  return {
    data,
    findings,
    blanks: [...main.blanks, ...others.flatMap(({ blanks }) => blanks)],
    position: (path, at) => ownerOf(path).position(path, at),
    finding: (severity, path, message, at) => ownerOf(path).finding(severity, path, message, at),
  };
}

function includedSources(
  main: Plain,
  source: Source,
  include: Include | undefined,
  findings: Finding[],
): Source[] {
  const patterns = Array.isArray(main.include) ? (main.include as unknown[]) : [];
  const seen = new Set<string>([source.file]);
  return patterns.flatMap((pattern, index) => {
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
      if ("text" in one) {
        const parsed = parseSource(one.text, one.file, includedKinds);
        findings.push(...parsed.findings);
        return [parsed];
      }
      findings.push({ severity: "error", file: one.file, line: 1, column: 1, path: "", message: one.fault });
      return [];
    });
  });
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

/** `all` with the sections of one included file added. */
function joined(
  all: unknown,
  source: Source,
  main: Source,
  owners: Map<string, Source>,
  findings: Finding[],
): unknown {
  const fault = (path: Path, message: string, at?: "key") =>
    findings.push(source.finding("error", path, message, at));
  if (!isMap(source.data)) {
    fault([], `${show(source.data)} is not allowed; write a map with some of ${includableKeys.join(", ")}`);
    return all;
  }
  const result = { ...(all as Plain) };
  for (const [section, entries] of Object.entries(source.data)) {
    if (section === "apiVersion") {
      if (entries !== "arcflux/v1") fault([section], "is not arcflux/v1, the version of the fleet file");
    } else if (section === "include") {
      fault([section], "is in an included file; write the pattern into the fleet file itself", "key");
    } else if (!(includableKeys as readonly string[]).includes(section)) {
      const near = nearest(section, includableKeys);
      fault(
        [section],
        `unknown key in an included file; the nearest known key is ${near}; allowed here: ${includableKeys.join(", ")}`,
        "key",
      );
    } else if (entries !== null && !isMap(entries)) {
      fault([section], `${show(entries)} is not allowed; write a map`);
    } else if (result[section] == null || isMap(result[section])) {
      const known: Plain = { ...result[section] };
      for (const [name, entry] of Object.entries(entries ?? {})) {
        const key = `${section}/${name}`;
        if (Object.hasOwn(known, name)) {
          const there = (owners.get(key) ?? main).position([section, name], "key");
          fault(
            [section, name],
            `is in ${there.file}:${there.line}:${there.column} already; keep one of them`,
            "key",
          );
        } else {
          known[name] = entry;
          owners.set(key, source);
        }
      }
      result[section] = known;
    }
  }
  return result;
}

function isMap(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
