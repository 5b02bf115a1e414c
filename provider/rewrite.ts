import type { ObjectId } from "../git/index.ts";
import { fullPath } from "../git/plan.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { mapKeys } from "./mapKeys.ts";
import { type GitFilesState, stateAfter } from "./state.ts";
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

async function rewriteInPlace(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<GitFilesState> {
  const { blobs, adopted, executable = [], pullRequest, commit } = state;
  const taken = await writes.takeOver(urn, wanted, blobs);
  const owned = { ...taken, ...writes.ownedBy(urn, state, wanted) };
  const before = { owned, adopted, executable, pullRequest, commit };
  return stateAfter(wanted, await writes.write(urn, wanted, operationOn(state), before));
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
  // The new place may be that of another stack.
  const taken = await writes.takeOver(urn, moved, mapKeys(state.blobs, from));
  const result = await writes.write(urn, moved, operationOn(state), {
    owned: { ...taken, ...mapKeys(writes.ownedBy(urn, state, wanted), from) },
    executable: executable.map(from),
    commit,
    pullRequest: pullRequest && { ...pullRequest, replaced: mapKeys(pullRequest.replaced, from) },
  });
  const below = wanted.directory === "" ? 0 : wanted.directory.length + 1;
  const back = (path: string): string => path.slice(below);
  const inFolder = ([path]: [string, ObjectId]): boolean =>
    wanted.directory === "" || path.startsWith(`${wanted.directory}/`);
  return stateAfter(wanted, {
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
  });
}

function operationOn(state: GitFilesState): "update" | "restore" {
  return state.seen === undefined ? "update" : "restore";
}
