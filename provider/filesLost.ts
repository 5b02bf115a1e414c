import { folderOf, fullPath, fullPaths, isInside, nameOf, outermost, pathBelow } from "../values/path.ts";
import { moveOf, vacatedFolders } from "../git/index.ts";
import type { Branch, Delivery } from "../git/index.ts";
import type { Place } from "./claims.ts";
import type { FolderLookup } from "./folderLookup.ts";
import { type GitFilesState, pathsLeft, sameBranch } from "./state.ts";

/** Files of others that stay where a resource moves from. All paths from the root. */
export interface FilesLost {
  /** At least one. */
  readonly paths: readonly string[];
  /** Folders to which ours go from there. */
  readonly folders: readonly string[];
  /** Whether a list of ours shuts out there what others have. */
  readonly closed: boolean;
  /** Where these are, if that is another branch or repository. */
  readonly on?: Branch;
}

/**
 * What others have in each folder that a resource moves from, and not where it moves to: what these files applied goes
 * when the cluster follows. Looks at the repository only where the files do move. Rejects with GitError where it cannot
 * be read. `isOurs`: whether another resource of the run has or wants a path.
 */
export async function filesLost(
  state: GitFilesState,
  to: Place & Pick<Delivery, "createBranch">,
  lookup: FolderLookup,
  isOurs: (path: string) => boolean = () => false,
): Promise<FilesLost[]> {
  const same = sameBranch(state, to);
  const before = fullPaths(state.directory, Object.keys(state.blobs));
  const wanted = fullPaths(to.directory, to.paths);
  const move = same ? moveOf(before, wanted) : { left: vacatedFolders(before, []), fresh: wanted };
  const left = move.left.filter((folder) => !isClosed(folder, before));
  // Where nothing new is followed, something was removed and nothing moved.
  if (move.fresh.length === 0 || left.length === 0) return [];

  const ours = new Set([...before, ...(same ? wanted : []), ...pathsLeft(state, state)]);
  const found = await lookup.filesBelow({ url: state.repository, branch: state.branch }, left);
  const theirs = [...(found ?? [])].filter(
    ([path]) => /\.ya?ml$/.test(path) && !ours.has(path) && !isOurs(path),
  );
  if (theirs.length === 0) return [];

  const places = left.map((folder) => ({ folder, folders: goesTo(folder, before, move.fresh) }));
  const asked = outermost(places.flatMap(({ folders }) => folders));
  const on = { url: to.repository, branch: to.branch };
  const there = await lookup.filesBelow(on, asked);
  // Then it starts with what others have on the default branch, which mostly is the one that is left.
  if (there === undefined && to.createBranch === "fromDefault") return [];
  const blobs = new Set(there?.values());
  return places.flatMap(({ folder, folders }) => {
    // A list of ours in the new folder shuts out what else is there.
    const open = folders.filter((other) => !isClosed(other, wanted));
    const paths = theirs.flatMap(([path, blob]) => {
      const isThere = (): boolean =>
        open.some((other) => there?.has(fullPath(other, pathBelow(folder, path))));
      return !isInside(path, folder) || (open.length > 0 && blobs.has(blob)) || isThere() ? [] : [path];
    });
    return paths.length === 0 ? [] : [{ paths, folders, closed: open.length === 0, ...(!same && { on }) }];
  });
}

/** The folders in which files of a folder come to lie, told by their names; all that are new where none is the same. */
function goesTo(folder: string, before: readonly string[], fresh: readonly string[]): string[] {
  const names = new Set(before.filter((path) => folderOf(path) === folder).map(nameOf));
  const alike = fresh.filter((path) => names.has(nameOf(path)));
  return outermost((alike.length > 0 ? alike : fresh).map(folderOf));
}

/** Whether a list of ours says what Flux takes from the folder, so that it takes nothing of others. */
function isClosed(folder: string, ours: readonly string[]): boolean {
  return ours.includes(fullPath(folder, "kustomization.yaml"));
}
