import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from "yaml";
import type { Finding, Path } from "./finding.ts";
import { show } from "../values/show.ts";

/** Values that an alias repeats are counted, so that a few lines cannot stand for billions of values. */
const mostRepeated = 100_000;
const deepest = 100;

/** Message about a value that lists and maps are nested in too deeply. */
export const tooDeep = `is nested too deeply; at most ${deepest} levels are allowed, and a fleet file needs a handful`;

/** What stands where in a file. */
export interface Kinds {
  /** Values that are text whatever they look like. */
  readonly isText: (path: Path) => boolean;
  /** Places that hold any values at all, numbers too. */
  readonly isFree: (path: Path) => boolean;
  /** What the file has at least, for a message. */
  readonly least: string;
}

/** Adds a finding at an offset of the text. */
export type Add = (severity: Finding["severity"], offset: number, path: Path, message: string) => void;

/**
 * Plain values of a document: maps, lists, text, numbers, booleans and null. Aliases are followed. Faults are added, and
 * what has one is left out or null.
 */
export function toPlain(
  document: Document.Parsed,
  { isText, isFree, least }: Kinds,
  blanks: Path[],
  add: Add,
): unknown {
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  const path: (string | number)[] = [];
  let repeated = 0;
  let aliases = 0;

  function convert(node: Node | null): unknown {
    if (node === null) return null;
    const offset = node.range?.[0] ?? 0;
    if (aliases > 0 && ++repeated > mostRepeated) {
      if (repeated === mostRepeated + 1) {
        add(
          "error",
          offset,
          path,
          `aliases repeat more than ${mostRepeated} values; write shared sets instead`,
        );
      }
      return null;
    }
    if (isAlias(node)) return follow(node.source, offset);
    if (node.anchor) anchors.set(node.anchor, node);
    if (path.length > deepest) {
      add("error", offset, path, tooDeep);
      return null;
    }
    open.add(node);
    const value = content(node, offset);
    open.delete(node);
    return value;
  }

  function content(node: Node, offset: number): unknown {
    if (isScalar(node)) {
      if (node.value === null && node.source === "") blanks.push([...path]);
      const value = node.value !== null && isText(path) ? (node.source ?? show(node.value)) : node.value;
      if (typeof value === "number" && String(value) !== node.source && isFree(path)) {
        const number = Number.isFinite(value)
          ? `would be read as the number ${value}; put it in quotes if it is text, or write ${value}`
          : "is not a number that Kubernetes has; put it in quotes if it is text, or write another";
        add("error", offset, path, `${node.source} ${number}`);
      }
      if (typeof value === "string" && !value.isWellFormed()) {
        add(
          "error",
          offset,
          path,
          "has half of a surrogate pair, which is not a character; write the whole character",
        );
      }
      return value;
    }
    if (isSeq<Node>(node)) return node.items.map((item, index) => inside(index, item));
    if (!isMap<Node, Node>(node)) return null;

    const map: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = keyName(key, offset);
      if (name === undefined) continue;
      const at = key.range?.[0] ?? offset;
      if (Object.hasOwn(map, name)) {
        path.push(name);
        add("error", at, path, "this key is there already; a map has each key once");
        path.pop();
      } else {
        map[name] = inside(name, value);
      }
    }
    return map;
  }

  function inside(key: string | number, node: Node | null): unknown {
    path.push(key);
    const value = convert(node);
    path.pop();
    return value;
  }

  function keyName(key: Node | null, offset: number): string | undefined {
    const at = key?.range?.[0] ?? offset;
    const name = isScalar(key) && key.value !== null ? (key.source ?? show(key.value)) : undefined;
    if (name === undefined) {
      add("error", at, path, "has a key that is empty, an alias, a list or a map; a key is plain text");
    } else if (name === "<<") {
      add(
        "error",
        at,
        path,
        "merge keys (<<) are not part of YAML 1.2; share values by `sets` and `defaults`",
      );
    } else if (name === "__proto__") {
      add("error", at, path, "__proto__ cannot be a key; choose another name");
    } else {
      return name;
    }
    return undefined;
  }

  function follow(name: string, offset: number): unknown {
    const target = anchors.get(name);
    if (target === undefined || open.has(target)) {
      add(
        "error",
        offset,
        path,
        `the alias *${name} has no anchor &${name} before it; write the value itself`,
      );
      return null;
    }
    aliases++;
    const value = convert(target);
    aliases--;
    return value;
  }

  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    add("error", 0, [], `is empty; ${least}`);
    return undefined;
  }
  return convert(document.contents);
}
