import { folderOf, fullPath, fullPaths } from "../values/path.ts";
import { GitError, forgetNotes, namesake, sameRepository } from "../git/index.ts";
import type { DeliveryResult } from "../git/index.ts";
import type { GitFilesInputs } from "./inputs.ts";
import { claimedNote } from "./moveNotes.ts";
import {
  foldersOf,
  type GitFilesState,
  leftAt,
  type LeftPlace,
  leftPlace,
  pathsLeft,
  sameBranch,
  stateAt,
  withLeaving,
} from "./state.ts";
import type { Writes } from "./writes.ts";

/**
 * Takes the files out of a place that the resource has left. What the new place holds is never taken out, though the
 * old URL may lead to the same repository; and a place that cannot be reached any more does not hold up the stack.
 * `followed`: whether a cluster may go on with the place for a while. Returns what has to stay there for that reason.
 */
export async function leave(
  writes: Writes,
  urn: string,
  place: GitFilesState,
  wanted: GitFilesInputs,
  followed: boolean,
): Promise<LeftPlace | undefined> {
  const { repository: url, branch, directory } = place;
  if (wanted.onDelete === "keep") {
    await giveUp(writes, urn, place);
    return undefined;
  }
  try {
    const same =
      branch === wanted.branch && (await sameRepository({ url, branch }, wanted.repository, writes.context));
    const paths = fullPaths(wanted.directory, Object.keys(wanted.files));
    const here = same ? new Set(paths) : new Set<string>();
    const blobs = Object.entries(place.blobs).filter(([path]) => !here.has(fullPath(directory, path)));
    if (blobs.length === 0) return undefined;
    const { onMove } = wanted;
    const rest = { ...place, ...(onMove && { onMove }), blobs: Object.fromEntries(blobs) };
    const stays = new Set([...here, ...pathsLeft(place, place)]);
    const how = {
      ...{ stays, message: movedMessage },
      ...(followed && { followed: Object.keys(place.blobs) }),
      movedAs: contentsAt(wanted, Object.keys(rest.blobs)),
    };
    // As of now, like the write: what another one claims in a moment is gone by then.
    const claimed = writes.claimedOf(urn, rest);
    const result = await remove(writes, urn, rest, how);
    const left = leftAt(rest, result);
    return followed ? await withClaimed(writes, urn, rest, wanted, claimed, left) : left;
  } catch (error) {
    // Only a place that is not there any more is let go of; a refusal has to be dealt with, or decided about.
    const gone = error instanceof GitError && ["unreachable", "noBranches", "timeout"].includes(error.kind);
    if (!gone) {
      if (!(error instanceof GitError) || error.kind === "abandoned") throw error;
      const way = "To leave them there instead, set stack config arcflux:onDelete keep for this update.";
      throw new GitError(error.kind, `${error.message}\n${way}`, error.conflicts);
    }
    await writes.warn(
      urn,
      `the files are in their new place, and ${directory} on branch ${branch} of ${url} could not be looked at: ` +
        `${error.message}\nIf that is another repository and anything still follows it, delete them there by hand.`,
    );
    return undefined;
  }
}

/** What files that were at these paths say where they are wanted now, told by their names. */
function contentsAt({ files }: GitFilesInputs, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const to = namesake(path, Object.keys(files));
      return to === undefined ? [] : [[path, files[to] ?? ""]];
    }),
  );
}

/**
 * What stays where the resource was, with `claimed`: what the write left alone since another one of the run wants to come
 * there. That is refused as long as it waits, and without it nobody would know these files any more.
 */
export async function withClaimed(
  writes: Writes,
  urn: string,
  place: GitFilesState,
  wanted: GitFilesInputs,
  claimed: GitFilesState["blobs"],
  left: LeftPlace | undefined,
): Promise<LeftPlace | undefined> {
  const same = sameBranch(place, wanted);
  const here = new Set(fullPaths(wanted.directory, Object.keys(wanted.files)));
  const stay = Object.entries(claimed).filter(
    ([path]) => !(same && here.has(fullPath(place.directory, path))),
  );
  if (stay.length === 0) return left;
  await writes.warn(urn, claimedNote(place));
  return leftPlace({ ...place, blobs: { ...left?.blobs, ...Object.fromEntries(stay) } }, () => true);
}

/**
 * The state after an update, with what earlier moves left: that goes on waiting, or is taken out where the inputs say so.
 * Not by itself: an update that failed between Git and Azure is simply run again, with clusters still at the old place.
 */
export async function withEarlierMoves(
  writes: Writes,
  urn: string,
  before: GitFilesState,
  wanted: GitFilesInputs,
  after: GitFilesState,
): Promise<GitFilesState> {
  const waiting = stillWaiting(before, wanted);
  const finish = wanted.onMove === "finish";
  const isOver = ({ held }: LeftPlace): boolean => finish && held !== true;
  const stay = [...waiting.filter((place) => !isOver(place)), ...(after.leaving ?? [])];
  for (const place of waiting.filter(isOver)) {
    await leave(writes, urn, { ...stateAt(before, place), leaving: stay }, wanted, false);
  }
  return withLeaving(after, stay, finish);
}

/** What the resource has not come back to (see comingBack). */
function stillWaiting({ leaving = [] }: GitFilesState, wanted: GitFilesInputs): LeftPlace[] {
  const folders = foldersOf(wanted);
  return leaving.flatMap((place) =>
    sameBranch(place, wanted) ? (leftPlace(place, (path) => !folders.has(folderOf(path))) ?? []) : [place],
  );
}

/** Leaves the files where they are, for good: a resource that comes back later finds them like those of anyone else. */
export async function giveUp(writes: Writes, urn: string, state: GitFilesState): Promise<void> {
  for (const { repository: url, branch, directory, pullRequest } of [state, ...(state.leaving ?? [])]) {
    for (const one of [branch, pullRequest?.branch]) {
      if (one !== undefined) await forgetNotes({ url, branch: one, directory, owner: urn }, writes.context);
    }
  }
}

/** Nothing has gone but the old place. */
const movedMessage = "Remove what was moved from {directory}";

/** Takes out what the resource wrote and nobody changed; undefined where there is nothing to take out. */
export async function remove(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  how: {
    /** Paths from the root that are not to go. */
    readonly stays?: ReadonlySet<string>;
    /** See WriteRequest. */
    readonly followed?: readonly string[];
    /** See WriteRequest. */
    readonly movedAs?: Readonly<Record<string, string>>;
    /** Of the commit. Defaults to one that says that the folder is removed. */
    readonly message?: string;
  } = {},
): Promise<DeliveryResult | undefined> {
  const { directory, executable, pullRequest, commit } = state;
  const owned = writes.ownedBy(urn, state);
  if (Object.keys(owned).length === 0) return undefined;
  const { message = `Remove ${directory === "" ? "generated files" : "{directory}"}`, ...rest } = how;
  const before = { owned, pullRequest, commit, ...rest, ...(executable && { executable }) };
  try {
    return await writes.write(urn, { ...state, message, files: {} }, "delete", before);
  } catch (error) {
    // Without the branch there is nothing left to delete.
    if (!(error instanceof GitError && error.kind === "missingBranch")) throw error;
    await writes.warn(urn, `branch ${state.branch} of ${state.repository} is gone, and so are the files.`);
    return undefined;
  }
}
