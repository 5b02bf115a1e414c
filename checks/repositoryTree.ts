/** One thing in a folder. `kind` is `folder`, `file`, `symlink`, `submodule` or another word. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: string;
  /** Git object of what stands there, where it is known without reading it. */
  readonly id?: string;
}

/**
 * The repository that a fleet is built on, as it stands. Both ways of asking take many paths at once, since each may cost
 * a way to the server. Paths are from the root, without a leading `./`; the root is `""`.
 */
export interface RepositoryTree {
  /** Entries of folders; a folder that is not there is absent. */
  list(folders: readonly string[]): Promise<ReadonlyMap<string, readonly TreeEntry[]>>;
  /** Contents of files; a path that is no file is absent. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Clusters that files were last written for, by path, as far as a history tells; without one, undefined. */
  writtenFor?(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
