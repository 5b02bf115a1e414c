import { harmless } from "../../values/show.ts";
import type { ObjectId } from "./types.ts";

/**
 * - `conflict`: the branch holds something at our paths that this caller may not touch
 * - `race`: others kept pushing first until the attempts ran out
 * - `refused`: the server said no (protected branch, hook, policy, quota)
 * - `authentication`: no credential, a wrong one, or one without the right
 * - `unreachable`: no such host, repository or connection
 * - `busy`: the host has no time, starts anew, or limits how often it is asked; and so it was until patience ran out
 * - `timeout`: a git process took too long and was ended
 * - `missingBranch`: the branch does not exist (yet)
 * - `noBranches`: the repository shows no branch at all; it is empty, or it is not the repository that answers
 * - `invalid`: the request breaks a rule of git/words/rules.ts
 * - `unreadable`: a folder on our path could not be read from the server
 * - `abandoned`: the caller went away or called off the write; nothing was pushed after that
 * - `failed`: anything else git reported
 */
export type GitErrorKind =
  | "conflict"
  | "race"
  | "refused"
  | "authentication"
  | "unreachable"
  | "busy"
  | "timeout"
  | "missingBranch"
  | "noBranches"
  | "invalid"
  | "unreadable"
  | "abandoned"
  | "failed";

/**
 * Why a write must not go on at a path:
 *
 * - `changed`: someone changed or deleted what we wrote; `setBack`: someone went back to what was there before it
 * - `exists`: a file is there that we did not write
 * - `inTheWay`: what is there has to be taken away by somebody, whatever was decided
 * - `owner`: the folder belongs to another; `unreadable`: nobody can tell to whom
 * - `ahead`: the folder tells of updates that the saved state does not know
 * - `leftBehind`, `lost`, `nested`: a move would leave a change behind, lose manifests of others, or mix two folders
 * - `moved`: another file is to be deleted than was judged before
 * - `rolledBack`: what was rolled back would be written again
 */
export type ConflictKind =
  | "changed"
  | "setBack"
  | "exists"
  | "inTheWay"
  | "owner"
  | "unreadable"
  | "ahead"
  | "leftBehind"
  | "lost"
  | "nested"
  | "moved"
  | "rolledBack";

/** One path of a write at which it must not go on. */
export interface Conflict {
  readonly kind: ConflictKind;
  /** From the root of the repository. */
  readonly path: string;
  /** What is wrong there, for people. */
  readonly reason: string;
  /** Blob (or tree, or submodule commit) there now; absent when nothing is. */
  readonly found?: ObjectId | undefined;
  /** Blob that the caller wrote last; absent when it never wrote the path. */
  readonly expected?: ObjectId | undefined;
  /** What is there against what was to be written, one line for each field. */
  readonly differences?: readonly string[] | undefined;
  /** The commit that did; absent when it was not looked for or not found. */
  readonly by?: ChangeOrigin | undefined;
}

/** A commit that changed a path. */
export interface ChangeOrigin {
  readonly commit: ObjectId;
  readonly author: string;
  /** ISO 8601, in the author's time zone; words where it holds no date. */
  readonly date: string;
  readonly subject: string;
  /** What this commit takes back, by its own words (git/plumbing/takenBack.ts): a commit, a pull request or a title. */
  readonly reverts?: string | undefined;
  /** The cluster that it was written for, where Arcflux made it for one. */
  readonly cluster?: string | undefined;
  /** Project and stack that wrote it, as `project/stack`, where Arcflux made it. */
  readonly writer?: string | undefined;
}

/** A failure of git/. The message is complete, for people, free of credentials, and does nothing in the log of a CI system. */
export class GitError extends Error {
  readonly kind: GitErrorKind;
  /** Every path in conflict; empty for other kinds. */
  readonly conflicts: readonly Conflict[];

  constructor(kind: GitErrorKind, message: string, conflicts: readonly Conflict[] = []) {
    super(harmless(message));
    this.name = "GitError";
    this.kind = kind;
    this.conflicts = conflicts;
  }
}
