import { folderOf, nameOf, outermost } from "../../values/path.ts";
import { toBytes, toText } from "../words/bytes.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import { kindOf } from "../plumbing/tree.ts";

/**
 * The folders that a Kustomization may have followed for these files, and in which no file is wanted any more. Flux looks
 * into subfolders too, so of folders in one another only the outer one counts. All paths from the root.
 */
export function vacatedFolders(before: readonly string[], wanted: readonly string[]): string[] {
  const kept = new Set(wanted.map(folderOf));
  return followedFolders(before).filter((folder) => !kept.has(folder));
}

/** The folders that a Kustomization may follow for these files. All paths from the root. */
export function followedFolders(paths: readonly string[]): string[] {
  return outermost(paths.map(folderOf));
}

/**
 * Of files that were followed and those that are wanted on the same branch: the folders that are left, and the wanted files
 * in folders that nothing followed before. All paths from the root.
 */
export function moveOf(
  before: readonly string[],
  wanted: readonly string[],
): { readonly left: readonly string[]; readonly fresh: readonly string[] } {
  const followed = new Set(before.map(folderOf));
  const fresh = wanted.filter((path) => !followed.has(folderOf(path)));
  return { left: vacatedFolders(before, wanted), fresh };
}

/** The path among others at which a file of the same name is: where it has gone with a move. */
export function namesake(path: string, others: readonly string[]): string | undefined {
  return others.find((other) => nameOf(other) === nameOf(path));
}

/**
 * A path in a folder that is none of `ours` (from the root); undefined where a folder of ours alone would be left with
 * nothing in it, or is not there. The snapshot holds every folder on the way to what is ours.
 */
export function othersIn(
  { folders }: Snapshot,
  folder: string,
  ours: ReadonlySet<string>,
): string | undefined {
  const look = (at: string): string | undefined => {
    for (const entry of folders.get(at) ?? []) {
      const place = at === "" ? entry.name : `${at}/${entry.name}`;
      // A folder that was not read has nothing of ours.
      const inner = kindOf(entry) === "folder" && folders.has(place);
      const found = inner ? look(place) : ours.has(toText(place)) ? undefined : toText(place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(toBytes(folder));
}
