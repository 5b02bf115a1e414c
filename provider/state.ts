import type { Identity, ObjectId, WriteResult } from "../git/types.ts";
import type { GitFilesInputs } from "./inputs.ts";

/**
 * Outputs of a GitFiles resource, which is all that a later diff, update or delete knows of it. The content of the
 * files is not among them: the blobs say as much, and Pulumi keeps the inputs beside them.
 */
export interface GitFilesState {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly author: Identity;
  readonly commit: ObjectId;
  /** Path below the directory to the blob that was written there. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** Only after a refresh that saw something else: path to the blob seen, or `deleted`. */
  readonly drift?: Readonly<Record<string, string>>;
}

export const deleted = "deleted";

/** The state after a write. */
export function stateAfter(inputs: GitFilesInputs, result: WriteResult): GitFilesState {
  const { repository, branch, directory, author } = inputs;
  return { repository, branch, directory, author, commit: result.commit, blobs: result.blobs };
}

/** Whether both lie on the same branch of the same repository. */
export function sameBranch(
  a: { readonly repository: string; readonly branch: string },
  b: { readonly repository: string; readonly branch: string },
): boolean {
  return a.repository === b.repository && a.branch === b.branch;
}

/** What of `blobs` is not what was seen on the branch; undefined when nothing. */
export function driftOf(
  blobs: Readonly<Record<string, ObjectId>>,
  seen: Readonly<Record<string, ObjectId>>,
): Record<string, string> | undefined {
  const changed = Object.entries(blobs)
    .filter(([path, blob]) => seen[path] !== blob)
    .map(([path]) => [path, seen[path] ?? deleted] as const);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** The state with the drift that a refresh saw, in place of what an earlier one saw. */
export function withDrift(state: GitFilesState, drift: GitFilesState["drift"]): GitFilesState {
  const { repository, branch, directory, author, commit, blobs } = state;
  return { repository, branch, directory, author, commit, blobs, ...(drift && { drift }) };
}
