import { readdirSync, statSync, type Dirent } from "node:fs";
import { isAbsolute, join, parse } from "node:path";
import { realPath } from "../disk/realPath.ts";

/**
 * The files that a pattern stands for, from `folder`, sorted: `*` stands for any characters of one name, `**` for any
 * folders. Names that begin with a dot must be written, and links are not followed by `**`. A folder that cannot be
 * looked into is in the list itself, so that reading it says why. (Node's own glob is an experiment in Node 22.)
 */
export function filesMatching(folder: string, pattern: string): string[] {
  const root = isAbsolute(pattern) ? parse(pattern).root : folder;
  const walk = new Walk(partsOf(pattern));
  walk.from(root, 0);
  return [...walk.found].sort();
}

/** Whether a pattern stands for a file that is not there yet; its path is as the pattern is, from the same folder. */
export function standsFor(pattern: string, path: string): boolean {
  const standFor = (parts: readonly string[], names: readonly string[]): boolean => {
    const [part, ...rest] = parts;
    const [name, ...below] = names;
    if (part === undefined || name === undefined) return part === undefined && name === undefined;
    if (part !== "**") return matches(name, part) && standFor(rest, below);
    return standFor(rest, names) || (!name.startsWith(".") && standFor(parts, below));
  };
  return standFor(partsOf(pattern), path.split("/"));
}

function partsOf(pattern: string): string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  // `a/**` means all files below; `**/**` means no more than `**`.
  if (parts.at(-1) === "**") parts.push("*");
  return parts.filter((part, index) => part !== "**" || parts[index - 1] !== "**");
}

/** More places than any fleet has files: a folder with links to itself has no end. */
const mostPlaces = 200_000;

/** Thrown where a pattern stands for more folders than could be looked through. */
export class TooManyFolders extends Error {
  override readonly name = "TooManyFolders";
}

/** Looks through folders, each once for each part of the pattern: `**` twice in it would come there on many ways. */
class Walk {
  readonly found = new Set<string>();
  readonly #parts: readonly string[];
  readonly #seen = new Set<string>();

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  from(folder: string, at: number): void {
    // A link to a folder above leads to where one has been.
    const place = `${at} ${realPath(folder)}`;
    if (this.#seen.has(place)) return;
    if (this.#seen.size >= mostPlaces) throw new TooManyFolders();
    this.#seen.add(place);
    const part = this.#parts[at] ?? "";
    if (part === "**") {
      this.from(folder, at + 1);
      for (const entry of entriesOf(folder, this.found)) {
        if (entry.isDirectory() && !entry.name.startsWith(".")) this.from(join(folder, entry.name), at);
      }
      return;
    }
    const names = part.includes("*")
      ? entriesOf(folder, this.found).flatMap(({ name }) => (matches(name, part) ? name : []))
      : [part];
    for (const name of names) {
      const path = join(folder, name);
      if (at + 1 < this.#parts.length) this.from(path, at + 1);
      else if (mayBeFile(path)) this.found.add(path);
    }
  }
}

/** Whether reading it is worth a try: what cannot be looked at, such as a link to itself, is a fault and not left out. */
function mayBeFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return true;
  }
}

function entriesOf(folder: string, found: Set<string>): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") found.add(folder);
    return [];
  }
}

/** Whether a name is what stands around the stars of a pattern, in order. */
function matches(name: string, pattern: string): boolean {
  if (!pattern.includes("*")) return name === pattern;
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const next = name.indexOf(piece, at);
    if (next < 0) return false;
    at = next + piece.length;
  }
  return at + last.length <= name.length;
}
