import type { ObjectId } from "../git/index.ts";
import { fullPath } from "../git/plan.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { leave, tellWaiting } from "./leave.ts";
import { mapKeys } from "./mapKeys.ts";
import { type GitFilesState, leftPlace, samePlace, stateAfter } from "./state.ts";
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
  const owned = { ...(await writes.takeOver(urn, wanted, {})), ...waitingIn(state, wanted) };
  const result = await writes.write(urn, wanted, "update", { owned });
  return stateAfter(wanted, result, await leave(writes, urn, state, wanted, true));
}

/** What an earlier update left in the place that is wanted now: the resource comes back to its own. */
function waitingIn({ leaving = [] }: GitFilesState, wanted: GitFilesInputs): GitFilesState["blobs"] {
  const own = leaving.filter((place) => samePlace(place, wanted));
  return Object.fromEntries(own.flatMap(({ blobs }) => Object.entries(blobs)));
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
    owned: {
      ...taken,
      ...mapKeys(waitingIn(state, wanted), to),
      ...mapKeys(writes.ownedBy(urn, state, wanted), from),
    },
    vacates: state.directory,
    executable: executable.map(from),
    commit,
    pullRequest: pullRequest && { ...pullRequest, replaced: mapKeys(pullRequest.replaced, from) },
  });
  const below = wanted.directory === "" ? 0 : wanted.directory.length + 1;
  const back = (path: string): string => path.slice(below);
  const inFolder = ([path]: [string, ObjectId]): boolean =>
    wanted.directory === "" || path.startsWith(`${wanted.directory}/`);
  const { waiting } = result;
  if (waiting) await tellWaiting(writes, urn, state, waiting.beside);
  const start = from("").length;
  const left =
    waiting &&
    leftPlace(
      state,
      waiting.paths.map((path) => path.slice(start)),
    );
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
  return stateAfter(wanted, after, left);
}

function operationOn(state: GitFilesState): "update" | "restore" {
  return state.seen === undefined ? "update" : "restore";
}
