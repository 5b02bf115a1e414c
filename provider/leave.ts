import { forgetNotes, GitError, sameRepository } from "../git/index.ts";
import { fullPath } from "../git/plan.ts";
import type { GitFilesInputs } from "./inputs.ts";
import type { GitFilesState } from "./state.ts";
import type { Writes } from "./writes.ts";

/**
 * Takes the files out of a place that the resource has left. What the new place holds is never taken out, though the
 * old URL may lead to the same repository; and a place that cannot be reached any more does not hold up the stack.
 */
export async function leave(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  wanted: GitFilesInputs,
): Promise<void> {
  const { repository: url, branch } = state;
  if (wanted.onDelete === "keep") return giveUp(writes, urn, state);
  try {
    const same =
      branch === wanted.branch && (await sameRepository({ url, branch }, wanted.repository, writes.context));
    const paths = Object.keys(wanted.files).map((path) => fullPath(wanted.directory, path));
    const stays = same ? new Set(paths) : new Set<string>();
    const blobs = Object.entries(state.blobs).filter(([path]) => !stays.has(fullPath(state.directory, path)));
    if (blobs.length > 0) await remove(writes, urn, { ...state, blobs: Object.fromEntries(blobs) }, stays);
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
      `the files are in their new place, and ${state.directory} on branch ${branch} of ${url} could not be looked at: ` +
        `${error.message}\nIf that is another repository and anything still follows it, delete them there by hand.`,
    );
  }
}

/** Leaves the files where they are, for good: a resource that comes back later finds them like those of anyone else. */
export async function giveUp(writes: Writes, urn: string, state: GitFilesState): Promise<void> {
  const { repository: url, branch, directory, pullRequest } = state;
  for (const one of [branch, pullRequest?.branch]) {
    if (one !== undefined) await forgetNotes({ url, branch: one, directory, owner: urn }, writes.context);
  }
}

/** Takes out what the resource wrote and nobody changed. `stays`: paths from the root that are not to go. */
export async function remove(
  writes: Writes,
  urn: string,
  state: GitFilesState,
  stays: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { directory, executable, pullRequest, commit } = state;
  const owned = writes.ownedBy(urn, state);
  if (Object.keys(owned).length === 0) return;
  const message = `Remove ${directory === "" ? "generated files" : "{directory}"}`;
  const before = { owned, pullRequest, commit, stays, ...(executable && { executable }) };
  try {
    await writes.write(urn, { ...state, message, files: {} }, "delete", before);
  } catch (error) {
    // Without the branch there is nothing left to delete.
    if (!(error instanceof GitError && error.kind === "missingBranch")) throw error;
    await writes.warn(urn, `branch ${state.branch} of ${state.repository} is gone, and so are the files.`);
  }
}
