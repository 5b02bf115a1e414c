import { readdirSync, statSync, type Dirent } from "node:fs";
import { isAbsolute, join, parse } from "node:path";

/**
 * The files that a pattern stands for, from `folder`, sorted: `*` stands for any characters of one name, `**` for any
 * folders. Names that begin with a dot must be written, and links are not followed by `**`. A folder that cannot be
 * looked into is in the list itself, so that reading it says why. (Node's own glob is an experiment in Node 22.)
 */
export function filesMatching(folder: string, pattern: string): string[] {
  const root = isAbsolute(pattern) ? parse(pattern).root : folder;
  const parts = pattern.split("/").filter((part) => part !== "");
  // `a/**` means all files below; `**/**` means no more than `**`.
  if (parts.at(-1) === "**") parts.push("*");
  const found = new Set<string>();
  walk(
    root,
    parts.filter((part, index) => part !== "**" || parts[index - 1] !== "**"),
    found,
  );
  return [...found].sort();
}

function walk(folder: string, [part = "", ...rest]: readonly string[], found: Set<string>): void {
  if (part === "**") {
    walk(folder, rest, found);
    for (const entry of entriesOf(folder, found)) {
      if (entry.isDirectory() && !entry.name.startsWith("."))
        walk(join(folder, entry.name), [part, ...rest], found);
    }
    return;
  }
  const names = part.includes("*")
    ? entriesOf(folder, found).flatMap(({ name }) => (matches(name, part) ? name : []))
    : [part];
  for (const name of names) {
    const path = join(folder, name);
    if (rest.length > 0) walk(path, rest, found);
    else if (mayBeFile(path)) found.add(path);
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
