import { isMap, isNode, type Pair, parseDocument, visit } from "yaml";
import { EditError, find, flow } from "./editText.ts";

/** Where an entry of a map stands in a text. */
interface Place {
  readonly inFlow: boolean;
  /** Where the comments above it begin; of `{ … }`, where its key does. */
  readonly from: number;
  readonly key: readonly [from: number, to: number];
  /** Behind its last character, and behind comments that belong to it. */
  readonly to: number;
}

/** The text of an entry of a section as it stands there, with its comments. */
export function entryText(text: string, section: string, name: string): string {
  const { from, to } = placeOf(text, section, name);
  return text.slice(from, to);
}

/**
 * The text with an entry of a section once more, right behind the first, under another name: comments right above it and
 * in it are copied too, and nothing else is touched. `change` gets the copy as the one entry of the section, which is read
 * faster than all of a large file.
 *
 * @throws EditError where the entry has an anchor, which would be there twice.
 */
export function withCopy(
  text: string,
  section: string,
  name: string,
  copy: string,
  change: (alone: string) => string = (alone) => alone,
): string {
  const { inFlow, from, key, to } = placeOf(text, section, name);
  const copied = `${text.slice(from, key[0])}${flow(copy)}${text.slice(key[1], to)}`;
  const [before, after] = inFlow ? [`${section}: { `, " }"] : [`${section}:\n`, "\n"];
  const changed = change(`${before}${copied}${after}`).slice(before.length, -after.length);
  return `${text.slice(0, to)}${inFlow ? ", " : "\n"}${changed}${text.slice(to)}`;
}

function placeOf(text: string, section: string, name: string): Place {
  const holder = find(parseDocument(text).contents, section)?.value;
  const pair = find(holder, name);
  if (!isMap(holder) || pair === undefined || !isNode(pair.key))
    throw new EditError(`${section}.${name} comes from an alias or a merge key; edit it by hand.`);
  refuseAnchors(pair, `${section}.${name}`);
  const [start = 0, keyEnd = 0] = pair.key.range ?? [];
  const end = endOf(text, pair, keyEnd);
  const key = [start, keyEnd] as const;
  if (holder.flow === true) return { inFlow: true, from: start, key, to: end };
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const indent = start - lineStart;
  return {
    inFlow: false,
    from: commentsAbove(text, lineStart, indent),
    key,
    to: commentsBelow(text, end, indent),
  };
}

function refuseAnchors(pair: Pair, path: string): void {
  if (!isNode(pair.value)) return;
  visit(pair.value, {
    Node: (_, node) => {
      if ("anchor" in node && node.anchor !== undefined)
        throw new EditError(
          `${path} has the anchor &${node.anchor}, which can be there once; edit it by hand.`,
        );
    },
  });
}

/** Behind the last character of a pair that is no space. */
function endOf(text: string, { value }: Pair, keyEnd: number): number {
  const [from = keyEnd + 1, valueEnd = keyEnd + 1] = isNode(value) ? (value.range ?? []) : [];
  if (!isMap(value) || value.flow === true || value.items.length === 0)
    return Math.max(keyEnd + 1, text.slice(0, Math.max(from, valueEnd)).trimEnd().length);
  const last = value.items.at(-1) as Pair;
  const [, lastKeyEnd = 0] = isNode(last.key) ? (last.key.range ?? []) : [];
  return endOf(text, last, lastKeyEnd);
}

/** The start of the comment lines that stand right above a line, as far in. */
function commentsAbove(text: string, lineStart: number, indent: number): number {
  let from = lineStart;
  while (from > 0) {
    const before = text.lastIndexOf("\n", from - 2) + 1;
    if (!new RegExp(`^ {${indent}}#`).test(text.slice(before, from))) break;
    from = before;
  }
  return from;
}

/** The end of the line, and of comment lines below it that stand further in than the key. */
function commentsBelow(text: string, end: number, indent: number): number {
  const line = text.indexOf("\n", end);
  let to = line < 0 ? text.length : line;
  for (;;) {
    const next = new RegExp(`^\\n {${indent + 1},}#[^\\n]*`).exec(text.slice(to))?.[0];
    if (next === undefined) return to;
    to += next.length;
  }
}
