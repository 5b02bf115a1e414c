import { toBytes, toText } from "./bytes.ts";
import type { Snapshot } from "../plumbing/locate.ts";

/** A form that is the same for names that some file system takes for one: any case, accents composed or not. */
function folded(bytes: string): string {
  // Most names are plain: only others pay for being decoded.
  return /[\u0080-\u00ff]/.test(bytes)
    ? toText(bytes).normalize("NFC").toLowerCase().normalize("NFC")
    : bytes.toLowerCase();
}

/** The same for a name as text. */
export function foldedName(name: string): string {
  return folded(toBytes(name));
}

/**
 * Finds names that stand in the way of a path by differing from it in case alone: a checkout on Windows or macOS could
 * hold only one of the two. `leaving` are paths that go away in the same commit.
 */
export function caseClashFinder(
  { folders }: Snapshot,
  leaving: ReadonlySet<string>,
): (path: string) => string | undefined {
  const known = new Map<string, Map<string, string[]>>();
  const namesLike = (folder: string, name: string): readonly string[] => {
    let names = known.get(folder);
    if (names === undefined) {
      names = Map.groupBy(
        (folders.get(folder) ?? []).map((entry) => entry.name),
        folded,
      );
      known.set(folder, names);
    }
    return names.get(folded(name)) ?? [];
  };
  return (path) => {
    let folder = "";
    for (const name of toBytes(path).split("/")) {
      const at = (other: string): string => (folder === "" ? other : `${folder}/${other}`);
      const clash = namesLike(folder, name).find(
        (other) => other !== name && !leaving.has(toText(at(other))),
      );
      if (clash !== undefined) return toText(at(clash));
      folder = at(name);
    }
    return undefined;
  };
}

/** Pairs of paths of one write that differ in case alone, by the second of the two. */
export function caseClashesWithin(paths: readonly string[]): Map<string, string> {
  const first = new Map<string, string>();
  const clashes = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let length = 1; length <= parts.length; length += 1) {
      const part = parts.slice(0, length).join("/");
      const key = folded(toBytes(part));
      const other = first.get(key);
      if (other === undefined) first.set(key, part);
      else if (other !== part && !clashes.has(path)) clashes.set(path, other);
    }
  }
  return clashes;
}
