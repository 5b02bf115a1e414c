import type { ChangeOrigin, Refs } from "../git/index.ts";

/** One thing in a folder. `kind` is `folder`, `file`, `symlink`, `submodule` or another word. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: string;
  /** Git object of what stands there, where it is known without reading it. */
  readonly id?: string;
  /** Set for a file that has the mode of a program, where that is known. */
  readonly executable?: boolean;
}

/**
 * The repository that a fleet is built on, as it stands on one branch. Each way of asking takes many paths at once, since
 * each may cost a way to the server. Paths are from the root, without a leading `./`; the root is `""`.
 */
export interface RepositoryTree {
  /** The commit that is read; undefined for what lies on disk. */
  readonly commit?: string;
  /** Entries of folders; a folder that is not there is absent. */
  list(folders: readonly string[]): Promise<ReadonlyMap<string, readonly TreeEntry[]>>;
  /** Contents of files; a path that is no file is absent. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The commits that the branch is built on, so many deep at most; absent for what has no history. */
  commits?(depth: number): Promise<readonly { readonly id: string; readonly parents: readonly string[] }[]>;
  /** The commits that last changed paths, as far as a history tells; without one, undefined. */
  lastChanges?(paths: readonly string[]): Promise<ReadonlyMap<string, ChangeOrigin>>;
}

/** What there is to check against: the branch that an update commits to, and those that clusters follow. */
export interface RepositoryTrees {
  /** Undefined where the branch is not there yet. */
  readonly committed: RepositoryTree | undefined;
  /** By branch, that of `committed` among them; one that is not there is absent. */
  readonly followed: ReadonlyMap<string, RepositoryTree>;
  /** Names of the branches that are there; undefined where nothing tells, as for a folder on disk. */
  readonly branches?: readonly string[];
  /** What the repository has names for; absent where nothing tells. Rejects with GitError where it cannot be asked. */
  readonly refs?: () => Promise<Refs>;
  /** Every content that files have had on a branch, as far as its newest commits tell; absent where nothing tells. */
  readonly earlier?: (
    branch: string,
    paths: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly Uint8Array[]>>;
  /**
   * What a full ref or the id of a commit stands for, without what an update writes; undefined where it is not there. Absent
   * where nothing tells.
   */
  readonly at?: (revision: string) => Promise<RepositoryTree | undefined>;
}
