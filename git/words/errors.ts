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

/** One path of a write that the branch holds differently than the caller may overwrite. */
export interface Conflict {
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
  /** Whether no setting makes the write go on: what is there has to be taken away by somebody. */
  readonly byHand?: boolean | undefined;
  /** Whether the caller wrote the path once, so that someone must have changed it since. */
  readonly changed?: boolean | undefined;
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
  /** Name of the resource that wrote it, where Arcflux made it. */
  readonly resource?: string | undefined;
  /** Project and stack that wrote it, as `project/stack`, where Arcflux made it. */
  readonly writer?: string | undefined;
  /** The cluster that it was written for, where Arcflux made it for one. */
  readonly cluster?: string | undefined;
  /** The commit that its writer's saved state named, where Arcflux made it. */
  readonly after?: ObjectId | undefined;
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
