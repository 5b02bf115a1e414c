import { folderOf, fullPath, isInside, pathBelow } from "../values/path.ts";
import type { ObjectId } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { leave, withClaimed } from "./leave.ts";
import { mapKeys } from "./mapKeys.ts";
import { foldersOf, type GitFilesState, leftAt, pathsLeft, sameBranch, stateAfter } from "./state.ts";
import type { Writes } from "./writes.ts";

/** Updates a resource that stays on its branch, in its folder or in another; returns the new state. One commit. */
export function rewrite(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<GitFilesState> {
  return state.directory === wanted.directory
    ? rewriteInPlace(writes, urn, state, wanted)
    : moveFolder(writes, urn, state, wanted);
}

/** To another branch or repository; returns the new state. */
export async function moveAway(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<GitFilesState> {
  await writes.assertUnchanged(urn, state, wanted);
  const back = comingBack(state, wanted);
  const owned = { ...(await writes.takeOver(urn, wanted, {}, { comes: "moved", back })), ...back };
  const result = await writes.write(urn, wanted, "update", { owned, stays: pathsLeft(state, wanted) });
  return stateAfter(wanted, result, await leave(writes, urn, state, wanted, true));
}

/**
 * Of what earlier moves left to wait, what the resource comes back to: what is wanted again, and what is not in a folder
 * that is wanted, which goes like any set that is removed. Paths are below the directory that is wanted.
 */
function comingBack({ leaving = [] }: GitFilesState, wanted: GitFilesInputs): GitFilesState["blobs"] {
  const folders = foldersOf(wanted);
  return Object.assign(
    {},
    ...leaving
      .filter((place) => sameBranch(place, wanted))
      .map(({ directory, blobs }) =>
        Object.fromEntries(
          Object.entries(blobs).flatMap(([path, blob]) => {
            const full = fullPath(directory, path);
            return folders.has(folderOf(full)) ? [[pathBelow(wanted.directory, full), blob]] : [];
          }),
        ),
      ),
  ) as GitFilesState["blobs"];
}

async function rewriteInPlace(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<GitFilesState> {
  const { blobs, adopted, executable = [], pullRequest, commit } = state;
  const taken = await writes.takeOver(urn, wanted, blobs);
  const owned = { ...taken, ...comingBack(state, wanted), ...writes.ownedBy(urn, state, wanted) };
  const stays = pathsLeft(state, wanted);
  const before = { owned, adopted, executable, pullRequest, commit, stays, followed: Object.keys(blobs) };
  const result = await writes.write(urn, wanted, operationOn(state), before);
  return stateAfter(wanted, result, leftAt(state, result));
}

/** As a write to the root, below which both folders are. */
async function moveFolder(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<GitFilesState> {
  const { executable = [], pullRequest, commit } = state;
  const from = (path: string): string => fullPath(state.directory, path);
  const to = (path: string): string => fullPath(wanted.directory, path);
  const moved = {
    ...wanted,
    directory: "",
    files: mapKeys(wanted.files, to),
    // The message is about the new folder, not about what both hang below.
    message: wanted.message.replaceAll("{directory}", wanted.directory),
  };
  const returning = mapKeys(comingBack(state, wanted), to);
  // The new place may be that of another stack, or of another resource.
  const how = { comes: "moved", back: returning } as const;
  const taken = await writes.takeOver(urn, moved, mapKeys(state.blobs, from), how);
  const claimed = writes.claimedOf(urn, state, wanted);
  const result = await writes.write(urn, moved, operationOn(state), {
    owned: {
      ...taken,
      ...returning,
      ...mapKeys(writes.ownedBy(urn, state, wanted), from),
    },
    followed: Object.keys(state.blobs).map(from),
    stays: pathsLeft(state, wanted),
    shownAs: state.directory,
    executable: executable.map(from),
    commit,
    pullRequest: pullRequest && { ...pullRequest, replaced: mapKeys(pullRequest.replaced, from) },
  });
  const back = (path: string): string => pathBelow(wanted.directory, path);
  const inFolder = ([path]: [string, ObjectId]): boolean => isInside(path, wanted.directory);
  const after = {
    ...result,
    blobs: mapKeys(result.blobs, back),
    pullRequest: result.pullRequest && {
      ...result.pullRequest,
      replaced: mapKeys(
        Object.fromEntries(Object.entries(result.pullRequest.replaced).filter(inFolder)),
        back,
      ),
    },
    ...(result.adopted && { adopted: mapKeys(result.adopted, back) }),
    ...(result.executable && { executable: result.executable.map(back) }),
  };
  const left = await withClaimed(writes, urn, state, wanted, claimed, leftAt(state, result));
  return stateAfter(wanted, after, left);
}

function operationOn(state: GitFilesState): "update" | "restore" {
  return state.seen === undefined ? "update" : "restore";
}
