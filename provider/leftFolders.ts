import { fullPaths, outermost } from "../values/path.ts";
import { followedFolders, moveOf } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { foldersOf, type GitFilesState, type LeftFolders, sameBranch } from "./state.ts";

/**
 * The state after an update, with the folders that this one and earlier ones have left, until `onMove` is `finish`: who says
 * so at the time of the move has no use for them. Those that are wanted again are none.
 */
export function withLeftFolders(
  after: GitFilesState,
  before: GitFilesState,
  wanted: GitFilesInputs,
): GitFilesState {
  if (wanted.onMove === "finish") return after;
  const { repository, branch, left: earlier = [] } = before;
  const now = foldersOf(wanted);
  const all = [...earlier, { repository, branch, folders: vacated(before, wanted) }];
  const byBranch = Map.groupBy(all, (one) => `${one.repository} ${one.branch}`);
  const left = [...byBranch.values()].flatMap((places): LeftFolders[] => {
    const [{ repository, branch } = wanted] = places;
    const here = sameBranch({ repository, branch }, wanted) ? now : new Set<string>();
    const folders = outermost(places.flatMap((one) => one.folders)).filter((one) => !here.has(one));
    return folders.length === 0 ? [] : [{ repository, branch, folders }];
  });
  return { ...after, ...(left.length > 0 && { left }) };
}

function vacated(state: GitFilesState, wanted: GitFilesInputs): string[] {
  const before = fullPaths(state.directory, Object.keys(state.blobs));
  if (!sameBranch(state, wanted)) return followedFolders(before);
  const { left, fresh } = moveOf(before, fullPaths(wanted.directory, Object.keys(wanted.files)));
  // Where nothing new is followed, something was removed and nothing moved.
  return fresh.length === 0 ? [] : [...left];
}

/** The folders that a resource has left, with files (from the root) that wait there or with none. */
export function stillFollowed({
  leaving = [],
  left = [],
}: GitFilesState): (LeftFolders & { readonly files?: ReadonlySet<string>; readonly held?: true })[] {
  const waiting = leaving.map(({ repository, branch, directory, blobs, held }) => {
    const paths = fullPaths(directory, Object.keys(blobs));
    const folders = followedFolders(paths);
    return { repository, branch, folders, files: new Set(paths), ...(held && { held }) };
  });
  return [...waiting, ...left];
}
