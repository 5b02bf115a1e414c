import { isDeepStrictEqual } from "node:util";
import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parse,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/* Changes to the text of a fleet file. What they do not name stays byte for byte: comments, order and spacing. */

/** A place that cannot be changed without changing another. The message is complete. */
export class EditError extends Error {
  override readonly name = "EditError";
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Columns from which on an entry is written over several lines. */
const widest = 110;

/** The text with entries added to a section, such as `clusters`; the section is made where it is not there. */
export function withEntries(
  text: string,
  section: string,
  entries: readonly (readonly [key: string, value: unknown])[],
): string {
  if (entries.length === 0) return text;
  const pair = find(parseDocument(text).contents, section);
  const lines = (indent: string): string => entries.map((entry) => `\n${entryText(entry, indent)}`).join("");
  if (pair === undefined) return `${endOf(text)}\n${section}:${lines("  ")}\n`;
  const { value } = pair;
  if (!isEmpty(value)) {
    if (!isMap(value)) throw new EditError(`${section} is an alias; edit it by hand.`);
    if (value.flow === true) {
      const [from = 0, to = 0] = value.range ?? [];
      const inner = innerOf(text, value);
      const more = entries.map(([key, one]) => `${flow(key)}: ${flow(one)}`).join(", ");
      return splice(text, [{ from, to, text: `{ ${inner}, ${more} }` }]);
    }
    const at = lineEnd(text, contentEnd(text, value));
    return splice(text, [{ from: at, to: at, text: lines(indentOf(text, value)) }]);
  }
  const [from, to] = rangeOf(pair);
  // `clusters: {} # none yet` keeps what it says.
  const start = text[from - 1] === " " ? from - 1 : from;
  const comment = text.slice(to, lineEnd(text, to)).trim();
  const rest = comment === "" ? "" : ` ${comment}`;
  return splice(text, [{ from: start, to: lineEnd(text, to), text: `${rest}${lines("  ")}` }]);
}

/** The text with an item added to a list at the top, such as `removed`; an item that is there already is not added. */
export function withItem(text: string, section: string, item: string): string {
  const pair = find(parseDocument(text).contents, section);
  if (pair === undefined) return `${endOf(text)}\n${section}: [${item}]\n`;
  const { value } = pair;
  if (isSeq(value) && value.toJSON().some((one) => isDeepStrictEqual(one, parse(item)))) return text;
  if (!isSeq(value)) {
    if (!isEmpty(value)) throw new EditError(`${section} is an alias; edit it by hand.`);
    const [from, to] = rangeOf(pair);
    return splice(text, [{ from, to, text: `${text[from - 1] === ":" ? " " : ""}[${item}]` }]);
  }
  if (value.flow === true) {
    const [from = 0, to = 0] = value.range ?? [];
    const inner = innerOf(text, value);
    return splice(text, [{ from, to, text: `[${inner === "" ? "" : `${inner}, `}${item}]` }]);
  }
  const at = lineEnd(text, contentEnd(text, value));
  const [first] = value.items as { range?: [number] }[];
  const lineStart = text.lastIndexOf("\n", (first?.range?.[0] ?? 0) - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart))?.[0] ?? "";
  return splice(text, [{ from: at, to: at, text: `\n${indent}- ${item}` }]);
}

/** The text without an item of a list at the top, such as `recipients`. */
export function withoutItem(text: string, section: string, item: string): string {
  return withoutItems(text, section, (one) => one === item);
}

/** What an item of a list says, in the letters of the file: `0042` stays so. */
export type Item = string | Readonly<Record<string, string>>;

/** The text without those items of a list at the top, at least one. */
export function withoutItems(text: string, section: string, isGoing: (item: Item) => boolean): string {
  const pair = find(parseDocument(text).contents, section);
  const list = isSeq(pair?.value) ? pair.value : undefined;
  const left = (list?.items ?? []).filter((one) => {
    const item = itemOf(one);
    return item === undefined || !isGoing(item);
  });
  if (pair === undefined || list === undefined || left.length === list.items.length)
    throw new EditError(`${section} is or has an alias; edit it by hand.`);
  if (list.flow === true || left.length === 0) {
    const colon = text.indexOf(":", (pair.key as { range: [number, number] }).range[1]) + 1;
    const parts = left.map((one) => text.slice(...rangeOfItem(text, one)).trim());
    return splice(text, [
      {
        from: colon,
        to: list.flow === true ? (list.range?.[1] ?? colon) : contentEnd(text, list),
        text: ` [${parts.join(", ")}]`,
      },
    ]);
  }
  return splice(
    text,
    list.items
      .filter((one) => !left.includes(one))
      .map((one) => {
        const [from, to] = rangeOfItem(text, one);
        return { from: text.lastIndexOf("\n", from - 1) + 1, to: lineEnd(text, to) + 1, text: "" };
      }),
  );
}

function itemOf(node: unknown): Item | undefined {
  if (isScalar(node)) return node.source;
  if (!isMap(node)) return undefined;
  return Object.fromEntries(
    node.items.map(({ key, value }) => [
      String((key as Scalar).value),
      isScalar(value) ? (value.source ?? "") : "",
    ]),
  );
}

/** A map over several lines reaches over what follows it. */
function rangeOfItem(text: string, item: unknown): [from: number, to: number] {
  const [from, to] = (item as { range: [number, number] }).range;
  return [from, isMap(item) && item.flow !== true ? contentEnd(text, item) : to];
}

/** The text without entries of maps, each by its path; what stands in the line of an entry goes with it. */
export function withoutEntries(text: string, paths: readonly (readonly string[])[]): string {
  const { contents } = parseDocument(text);
  const going = new Map<YAMLMap, Going>();
  for (const path of paths) {
    let [holder, parent]: [Pair | undefined, unknown] = [undefined, contents];
    for (const key of path.slice(0, -1)) {
      holder = find(parent, key);
      parent = holder?.value;
    }
    const pair = find(parent, path.at(-1) ?? "");
    if (!isMap(parent) || pair === undefined)
      throw new EditError(`${path.join(".")} comes from an alias or a merge key; edit it by hand.`);
    const known = going.get(parent) ?? { holder, pairs: [] };
    known.pairs.push(pair);
    going.set(parent, known);
  }
  return splice(
    text,
    [...going].flatMap(([map, { holder, pairs }]) => without(text, map, holder, pairs)),
  );
}

/** Entries of a map that go, and the entry that holds the map. */
interface Going {
  readonly holder: Pair | undefined;
  readonly pairs: Pair[];
}

function without(text: string, map: YAMLMap, holder: Pair | undefined, pairs: readonly Pair[]): Splice[] {
  const left = map.items.filter((item) => !pairs.includes(item));
  const [from = 0, to = 0] = map.range ?? [];
  if (map.flow === true && text.slice(from, to).includes("\n"))
    return pairs.map((pair) => withoutPair(text, pair, map.items.at(-1) === pair));
  if (left.length === 0 && map.flow === true) return [{ from, to, text: "{}" }];
  if (left.length === 0 && holder !== undefined) {
    // Right behind the colon: a comment may follow it.
    const colon = text.indexOf(":", (holder.key as { range: [number, number] }).range[1]) + 1;
    const first = text.lastIndexOf("\n", keyStart(pairs[0]!)) + 1;
    return [
      { from: colon, to: colon, text: " {}" },
      { from: first, to: lineEnd(text, contentEnd(text, map)) + 1, text: "" },
    ];
  }
  if (map.flow !== true)
    return pairs.map((pair) => {
      const start = text.lastIndexOf("\n", keyStart(pair)) + 1;
      return { from: start, to: lineEnd(text, pairEnd(text, pair)) + 1, text: "" };
    });
  const parts = left.map((pair) => text.slice(keyStart(pair), pairEnd(text, pair)).trim());
  return [{ from, to, text: `{ ${parts.join(", ")} }` }];
}

/** Takes an entry out of `{ … }` over several lines, in which comments stand: those of its own line go with it. */
function withoutPair(text: string, pair: Pair, isLast: boolean): Splice {
  const [start, end] = [keyStart(pair), pairEnd(text, pair)];
  const comma = /^\s*,/.exec(text.slice(end))?.[0] ?? "";
  if (comma === "" && !isLast)
    throw new EditError(`A comment stands between ${String(pair.key)} and its comma; edit it by hand.`);
  const after = end + comma.length;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isAlone = /^\s*$/.test(text.slice(lineStart, start));
  if (isAlone && /^[ \t]*(#.*)?$/.test(text.slice(after, lineEnd(text, after)).replace(/\r$/, "")))
    return { from: lineStart, to: lineEnd(text, after) + 1, text: "" };
  return { from: start, to: after + (/^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0), text: "" };
}

/** The entry of a map with that key. */
export function find(map: unknown, key: string): Pair | undefined {
  if (!isMap(map)) return undefined;
  return map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
}

/** What stands between the brackets, without a comma at its end. */
function innerOf(text: string, { range }: YAMLMap | YAMLSeq): string {
  const [from = 0, to = 0] = range ?? [];
  return text
    .slice(from + 1, to - 1)
    .trim()
    .replace(/,$/, "");
}

function isEmpty(value: unknown): boolean {
  if (value === null || (isScalar(value) && value.value === null)) return true;
  return (isMap(value) || isSeq(value)) && value.items.length === 0;
}

/** Of the value of an entry; an empty one stands nowhere, right behind its colon. */
function rangeOf({ key, value }: Pair): [from: number, to: number] {
  const [from, to] = (value as { range?: [number, number] } | null)?.range ?? [];
  if (from !== undefined && to !== undefined) return [from, to];
  const end = ((key as { range?: [number, number] }).range?.[1] ?? 0) + 1;
  return [end, end];
}

const keyStart = ({ key }: Pair): number => (key as { range?: [number] }).range?.[0] ?? 0;

/** Where the last character of an entry stands; the range of a block reaches over what follows it. */
function pairEnd(text: string, pair: Pair): number {
  const { value } = pair;
  return (isMap(value) || isSeq(value)) && value.flow !== true && value.items.length > 0
    ? contentEnd(text, value)
    : text.slice(0, rangeOf(pair)[1]).trimEnd().length;
}

function contentEnd(text: string, block: YAMLMap | YAMLSeq): number {
  const last = block.items.at(-1);
  if (isMap(block)) return last === undefined ? 0 : pairEnd(text, last as Pair);
  return last === undefined ? 0 : text.slice(0, rangeOfItem(text, last)[1]).trimEnd().length;
}

function indentOf(text: string, map: YAMLMap): string {
  const start = map.items[0] === undefined ? 0 : keyStart(map.items[0]);
  return " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** The whole text, with a newline and an empty line at its end. */
const endOf = (text: string): string => (text.trim() === "" ? "" : `${text.trimEnd()}\n`);

/** From the last to the first, so that each stands where it was found. */
function splice(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text: part } of splices.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(at, from), part);
    at = to;
  }
  return [...parts, text.slice(at)].join("");
}

/** `  store-001: { stage: prod }`, or over several lines where that is too long. */
function entryText([key, value]: readonly [string, unknown], indent: string): string {
  const line = `${indent}${flow(key)}: ${flow(value)}`;
  if (line.length <= widest) return line;
  return stringify({ [key]: value })
    .trimEnd()
    .replace(/^/gm, indent);
}

/** A value in one line, in braces and brackets. */
export function flow(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true }).trimEnd();
}
