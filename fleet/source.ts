import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { inOrder, formatPath, type Finding, type Path } from "./finding.ts";
import { toPlain, tooDeep, type Add, type Kinds } from "./plainValues.ts";
import { withoutSecrets } from "../values/secretShapes.ts";
import { show } from "../values/show.ts";

/** A place in a file, counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A YAML file as plain values, which can say where each of them stands. */
export interface Source {
  readonly file: string;
  /**
   * Maps, lists, text, numbers, booleans and null. Of a file that is faulty as YAML, the sections that end well before the
   * fault; undefined when there are none.
   */
  readonly data: unknown;
  /** Whether `data` is all of the file. */
  readonly complete: boolean;
  /** What is wrong with the file as YAML. */
  readonly findings: readonly Finding[];
  /** Keys with nothing after the colon. They read as null, which may not be what was meant. */
  readonly blanks: readonly Path[];
  /** The single value at a path as the file spells it; undefined for anything else. */
  written(path: Path): string | undefined;
  /** Where a path stands, as `finding` says it. */
  position(path: Path, at?: "key" | "value"): Position;
  /** A finding at the value of a path, at its key, or at the nearest thing that exists above it. */
  finding(severity: Finding["severity"], path: Path, message: string, at?: "key" | "value"): Finding;
}

/**
 * Reads one YAML 1.2 document. Values that `isText` names are taken from the source as it stands, so `0042` stays `0042`
 * and no number is rounded.
 */
export function parseSource(text: string, file: string, kinds: Kinds): Source {
  const findings: Finding[] = [];
  const starts = lineStarts(text);
  const add: Add = (severity, offset, path, message) => {
    findings.push({
      severity,
      file,
      ...positionAt(starts, offset),
      path: formatPath(path),
      message: withoutSecrets(message),
    });
  };

  const document = parse(text);
  const blanks: Path[] = [];
  const complete = document?.errors.length === 0;
  const readable = document && (complete || keepSound(document));
  const data = readable ? toPlain(document, kinds, blanks, add) : undefined;
  const faults = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  // The parser stumbles on, once it has run out of stack.
  const exhausted = faults.filter(({ code }) => code === "RESOURCE_EXHAUSTION").slice(0, 1);
  for (const fault of exhausted.length > 0 ? exhausted : faults) {
    add("error", fault.pos[0], [], yamlFault(fault.code, fault.message));
  }
  if (!document) add("error", 0, [], tooDeep);
  const position: Source["position"] = (path, at = "value") => {
    const offset = document ? offsetOf(document, path, at) : 0;
    return { file, ...positionAt(starts, offset) };
  };
  return {
    file,
    position,
    data,
    complete,
    findings: inOrder(findings),
    blanks,
    written(path) {
      const node: unknown = document?.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
    finding(severity, path, message, at) {
      return { severity, ...position(path, at), path: formatPath(path), message: withoutSecrets(message) };
    },
  };
}

function parse(text: string): Document.Parsed | undefined {
  try {
    // Keys are compared in toPlain: the parser's own check is quadratic. prettyErrors would put lines of the file, and
    // with them a token in the wrong place, into messages.
    return parseDocument(text, { uniqueKeys: false, prettyErrors: false, strict: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Leaves of a faulty document the sections that can be relied on, and says whether there are any. After a fault the rest
 * is a guess of the parser, and findings about it would mislead; so may the section before it, such as with a quote that
 * was closed by the next one.
 */
function keepSound({ contents, errors }: Document.Parsed): boolean {
  if (!isMap<Node, Node>(contents) || contents.flow) return false;
  const fault = Math.min(...errors.map(({ pos }) => pos[0]));
  const before = contents.items.findIndex(({ key }) => (key.range?.[0] ?? fault) >= fault);
  contents.items.splice((before < 0 ? contents.items.length : before) - 1);
  return contents.items.length > 0;
}

function yamlFault(code: string, message: string): string {
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a second document begins here; a fleet file is one document, so take out the --- line";
    case "TAB_AS_INDENT":
      return "a tab is used as indentation; YAML takes spaces only";
    case "TAG_RESOLVE_FAILED":
      return "a tag or a value that does not fit its tag; a fleet file has plain values only";
    case "RESOURCE_EXHAUSTION":
      return tooDeep;
    default:
      // Some messages of the parser end in the text they stumbled over.
      return `is not YAML: ${message.replace(/:? ?["'`].*$/s, "").replace(/\s+/g, " ")}; correct the line`;
  }
}

const pairs = new WeakMap<YAMLMap<Node, Node>, ReadonlyMap<string, Pair<Node, Node>>>();

/** The entries of a map by the text of their keys, the first of each: ten thousand findings look into one map. */
function pairsOf(map: YAMLMap<Node, Node>): ReadonlyMap<string, Pair<Node, Node>> {
  let known = pairs.get(map);
  if (known === undefined) {
    const named = map.items.flatMap((pair) =>
      isScalar(pair.key) ? [[pair.key.source ?? show(pair.key.value), pair] as const] : [],
    );
    pairs.set(map, (known = new Map(named.reverse())));
  }
  return known;
}

/** Offset of what stands at a path, or of the key of the nearest thing above it that exists. */
function offsetOf(document: Document.Parsed, path: Path, at: "key" | "value"): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    if (isSeq<Node>(node) && typeof part === "number") {
      const item: Node | undefined = node.items[part];
      if (item === undefined) return offset;
      [node, offset] = [item, item.range?.[0] ?? offset];
    } else if (isMap<Node, Node>(node)) {
      const pair = pairsOf(node).get(String(part));
      if (pair === undefined) return offset;
      node = pair.value;
      // The value of `key:` with nothing after it has no place of its own. Above the end of the path, the key is the
      // better place: it is what the reader looks for.
      const last = depth === path.length - 1;
      const hasPlace = last && at === "value" && node !== null && (!isScalar(node) || node.source !== "");
      offset = (hasPlace ? node?.range?.[0] : pair.key.range?.[0]) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function lineStarts(text: string): () => readonly number[] {
  let starts: number[] | undefined;
  // Only a faulty file needs positions.
  return () => {
    if (starts === undefined) {
      starts = [0];
      for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
    }
    return starts;
  };
}

function positionAt(starts: () => readonly number[], offset: number): { line: number; column: number } {
  const all = starts();
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (all[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - all[low]! + 1 };
}
