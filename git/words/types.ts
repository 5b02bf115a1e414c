/** Words of the Git layer, shared by the plumbing below it and the provider above it. */

import type { Compare } from "../../values/compareText.ts";
import type { Before } from "./before.ts";
import type { Delivery, Provenance } from "./delivery.ts";
import type { ChangeOrigin } from "./errors.ts";

/** One branch of one remote repository. */
export interface Branch {
  /** http(s), ssh, scp-like, file URL or absolute path; never with credentials in it. */
  readonly url: string;
  /** Short name, such as `main`. */
  readonly branch: string;
}

/** Who makes a commit; used as author and committer. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Git object id (SHA-1 or SHA-256, lower-case hex). */
export type ObjectId = string;

/** One write: afterwards the branch holds `files` below `directory`, and nothing else of what the owner wrote for the folder. */
export interface WriteRequest extends Branch {
  /** Folder from the root of the repository, such as `clusters/edge-device-0`; `""` is the root. */
  readonly directory: string;
  /** Path below `directory` to content (text, UTF-8). */
  readonly files: Readonly<Record<string, string>>;
  /** Whom the inventory names: project, stack and cluster, such as `arcflux/prod/edge-0`. */
  readonly owner: string;
  /** The folder below `directory` that the cluster follows, where the inventory lies. Defaults to the directory itself. */
  readonly followed?: string | undefined;
  /** What the caller's saved state knows of an earlier write to the branch; absent without one. */
  readonly before?: Before | undefined;
  /** Name that the cluster had before: an inventory that names it is ours. */
  readonly formerly?: string | undefined;
  /** Project and stack whose folder is taken over, as in `edge/prod`. Our own: what is there counts, whatever the state says. */
  readonly takeFrom?: string | undefined;
  /** Folders, from the root, that no cluster follows any more: what is ours there is taken out. */
  readonly released?: readonly string[] | undefined;
  /** Path from the root to the blob of each file that may be deleted, as judged before. Absent: what the inventory lists. */
  readonly deletions?: Readonly<Record<string, ObjectId>> | undefined;
  /** Set where the owner goes: all that is its own is taken out, inventory and all. `files` is empty then. */
  readonly remove?: boolean | undefined;
  /**
   * A wanted file that someone else wrote: `same` (the default) takes it over where it means the same, and refuses it
   * otherwise; `overwrite` writes over it, unless it holds objects of others.
   */
  readonly adopt?: "same" | "overwrite" | undefined;
  /** A file of ours that someone changed, deleted or set back: `stop` (the default) refuses, `restore` puts ours back. */
  readonly drift?: "stop" | "restore" | undefined;
  /** Message of the commit: a subject line, optionally a blank line and a body; may hold fields (git/message.ts). */
  readonly message: string;
  readonly author: Identity;
  readonly delivery?: Delivery | undefined;
  /** Told in the trailers of the commit; without it there are none. */
  readonly provenance?: Provenance | undefined;
  /** Set where `branch` is the side branch of a pull request (git/pullRequest/). */
  readonly side?: SideBranch | undefined;
}

/** What a write did. */
export interface WriteResult {
  /** `unchanged`: the branch held everything as asked, and no commit was made. */
  readonly kind: "committed" | "unchanged";
  /** The commit made, or the tip of the branch at which nothing was left to do. */
  readonly commit: ObjectId;
  /** Path below `directory` to the blob now there, for every path of `files`. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** The same paths to the serial of the write that last changed them. */
  readonly serials: Readonly<Record<string, number>>;
  /** Of this write, or of the newest one before it. */
  readonly serial: number;
  /** Those paths of `blobs` that hold other bytes of the same meaning, with the blob asked for; absent without any. */
  readonly adopted?: Readonly<Record<string, ObjectId>> | undefined;
  /** Paths of `blobs` that are executable, as they were found; absent without any. */
  readonly executable?: readonly string[] | undefined;
  /** Folders that were left and are not released, from the root. */
  readonly left: readonly string[];
  /** Paths from the root that were to be deleted and stay, since someone changed them. */
  readonly kept: readonly string[];
  /** Folders that were to be emptied and belong to somebody else, with whom; absent without any. */
  readonly notOurs?: Readonly<Record<string, string>> | undefined;
  /** Set where files that were written before were all gone, and are there again. */
  readonly remade?: true | undefined;
  /** How many pushes were tried; 0 when unchanged. Writes that go out together share their pushes. */
  readonly attempts: number;
}

/** What the branch holds at the paths asked for. */
export interface ReadResult {
  readonly commit: ObjectId;
  /** Path below `directory` to its blob; a path that is not there is absent. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that are executable; absent without any. */
  readonly executable?: readonly string[] | undefined;
  /** Path below `directory` to the bytes of it, for the paths of `contentsOf`; of a large one, a note in their place. */
  readonly contents?: Readonly<Record<string, Buffer>> | undefined;
  /** The revert that took all of the paths away, where `orRevert` asked for it. */
  readonly reverted?: ChangeOrigin | undefined;
}

/** One look at a branch. */
export interface ReadRequest extends Branch {
  /** Folder from the root of the repository; `""` is the root. */
  readonly directory: string;
  /** Paths below `directory`. */
  readonly paths: readonly string[];
  /** Names those of `blobs` whose content is wanted too; also told which of them are executable. */
  readonly contentsOf?:
    | ((blobs: Readonly<Record<string, ObjectId>>, executable: readonly string[]) => readonly string[])
    | undefined;
  /** Whether to look, where none of the paths is there, for a revert that took them away. */
  readonly orRevert?: boolean | undefined;
  readonly delivery?: Delivery | undefined;
}

/** Longest time for one git process, in milliseconds; past it the process and its children are ended. */
export interface Timeouts {
  readonly fetch: number;
  readonly push: number;
  /** Work inside the scratch repository, with no network. */
  readonly local: number;
  /** Waiting, while none gets done, for other processes of this machine that write to the branch; then on without. */
  readonly lock: number;
}

/** What git/ takes from the world around it. Everything but `env` has a default. */
export interface GitContext {
  /** Environment of the git processes; credentials are read from it at each use (see git/access/credentials.ts). */
  readonly env: NodeJS.ProcessEnv;
  /** Day on which the token ends, YYYY-MM-DD, where it is known: a refusal after it says so first. */
  readonly tokenEnds?: string | undefined;
  /** Folder for scratch repositories. Defaults to the system's folder for temporary files. */
  readonly tempRoot?: string | undefined;
  /** Folder for what the writers of one machine share. Defaults to the user's cache folder (see git/plumbing/cacheFolder.ts). */
  readonly cacheRoot?: string | undefined;
  /** What contents mean. Without it only line ends and the final newline count for nothing. */
  readonly compare?: Compare | undefined;
  /** Asked right before each push; false stops the write with kind "abandoned". Defaults to always true. */
  readonly alive?: (() => boolean) | undefined;
  /** Ends the running git process and the write, with kind "abandoned". */
  readonly signal?: AbortSignal | undefined;
  /** In [0, 1), for jitter. Defaults to Math.random. */
  readonly random?: (() => number) | undefined;
  /** Waits so many milliseconds between two attempts. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Pushes tried before a write that keeps losing the race gives up. Defaults to 30. */
  readonly maxAttempts?: number | undefined;
  /** Defaults to 120 s for a fetch and for the lock, 300 s for a push, 60 s for local work. */
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Makes a write one to a side branch: it starts from the base, and nobody else may commit to it. */
export interface SideBranch {
  /** Branch that the side branch is to be merged into. */
  readonly base: string;
  /** Whether the pull request of that tip is over, so that the next one starts from the base. */
  readonly supersedes: (tip: ObjectId) => boolean;
}

/** What a repository has names for. */
export interface Refs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** The commits that the tags point to, by tag. */
  readonly commits: Readonly<Record<string, ObjectId>>;
}
