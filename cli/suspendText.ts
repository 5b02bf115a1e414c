import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from "yaml";
import { UsageError } from "./fleetCommand.ts";

/**
 * The text of a fleet file with sets of a cluster suspended. What is written is put where it belongs and nothing else is
 * touched: comments, order and spacing stay as they are. Throws UsageError where the place is shared by an alias.
 */
export function suspendedText(
  text: string,
  cluster: string,
  sets: readonly string[],
  { reason, until }: Pick<Suspension, "reason" | "until">,
): string {
  const value = suspension({ reason, ...(until !== undefined && { until }) });
  return sets.reduce(
    (rest, set) => written(rest, ["clusters", cluster, "sets", set, "suspend"], value),
    text,
  );
}

/** The text with a whole cluster suspended: whatever would reach it, and no set by itself. */
export function suspendedCluster(text: string, cluster: string, why: Suspension): string {
  return written(text, ["clusters", cluster, "suspend"], suspension(why));
}

/** What `suspend` says in a fleet file. */
export interface Suspension {
  readonly reason: string;
  readonly until?: string;
  /** Of a whole cluster: by the files in Git alone. */
  readonly through?: "git";
}

function suspension({ reason, until, through }: Suspension): string {
  const more = [
    ...(until === undefined ? [] : [`until: ${until}`]),
    ...(through ? [`through: ${through}`] : []),
  ];
  return `{ ${[`reason: ${scalar(reason)}`, ...more].join(", ")} }`;
}

/** A number is a place in a list. */
type YamlPath = readonly (string | number)[];

/**
 * Puts a value of one line at a path of YAML; comments, order and spacing stay. The parts of the path that are missing are
 * written with it. Throws UsageError where the place is shared by an alias.
 */
export function written(text: string, path: YamlPath, value: string): string {
  return writtenIn(text, parseDocument(text).contents, path, value);
}

/** The same for many clusters at once, in one reading: `values` are by cluster, and put at one key of each. */
export function writtenInClusters(text: string, key: string, values: ReadonlyMap<string, string>): string {
  const contents: unknown = parseDocument(text).contents;
  const clusters = isMap(contents) ? contents.get("clusters") : undefined;
  if (!isMap(clusters)) throw new UsageError("clusters is an alias. Edit it by hand.");
  // From the end, so that what is written moves nothing that is still to come.
  return clusters.items
    .flatMap(({ key: name }) => (isScalar(name) && values.has(String(name.value)) ? String(name.value) : []))
    .reverse()
    .reduce((rest, name) => writtenIn(rest, contents, ["clusters", name, key], values.get(name)!), text);
}

function writtenIn(text: string, contents: unknown, path: YamlPath, value: string): string {
  let map = contents;
  for (const [depth, part] of path.entries()) {
    if (isSeq(map) && typeof part === "number") {
      map = map.items[part];
      continue;
    }
    const key = String(part);
    if (!isMap(map)) throw new UsageError(`${path.slice(0, depth).join(".")} is an alias. Edit it by hand.`);
    const rest = path.slice(depth + 1).reduceRight((inner: string, each) => `{ ${each}: ${inner} }`, value);
    const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair === undefined)
      return map.flow === true ? intoFlow(text, map, key, rest) : intoBlock(text, map, key, rest);
    const [from, to] = rangeOf(pair);
    const isEmpty = pair.value === null || (isScalar(pair.value) && pair.value.value === null);
    if (isEmpty || depth === path.length - 1) {
      // `pos:` with nothing behind it has its place right after the colon.
      return `${text.slice(0, from)}${from === to ? " " : ""}${rest}${text.slice(to)}`;
    }
    map = pair.value;
  }
  return text;
}

/** `{}` and `{ a: b }` get one entry more, before the closing brace. */
function intoFlow(text: string, map: YAMLMap, key: string, value: string): string {
  const [from = 0, to = 0] = map.range ?? [];
  const inner = text.slice(from + 1, to - 1);
  const before = inner.trimEnd().replace(/,$/, "");
  const space = /^\S/.test(inner) ? "" : " ";
  const entries = before.trim() === "" ? ` ${key}: ${value} ` : `${before}, ${key}: ${value}${space}`;
  return `${text.slice(0, from + 1)}${entries}${text.slice(to - 1)}`;
}

/** A line of its own below the last entry, as far in as the first. */
function intoBlock(text: string, map: YAMLMap, key: string, value: string): string {
  const [first] = map.items;
  const last = map.items.at(-1);
  const start = (first?.key as { range?: [number] } | undefined)?.range?.[0] ?? 0;
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const content = text.slice(0, last === undefined ? start : rangeOf(last)[1]).trimEnd().length;
  const line = text.indexOf("\n", content);
  const at = line < 0 ? text.length : line;
  return `${text.slice(0, at)}\n${indent}${key}: ${value}${text.slice(at)}`;
}

/** Where the value of an entry stands; an empty one stands nowhere, right behind its colon. */
function rangeOf({ key, value }: Pair): [from: number, to: number] {
  const range = (value as { range?: [number, number] } | null)?.range;
  if (range !== undefined) return [range[0], range[1]];
  const end = (key as { range?: [number, number] }).range?.[1] ?? 0;
  return [end + 1, end + 1];
}

/** Plain where no reader of YAML could take it for something else. */
export function scalar(text: string): string {
  return /^[A-Za-z][\w./-]*( [\w./-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
