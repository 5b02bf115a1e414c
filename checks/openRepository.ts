import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { GitError, withTree } from "../git/index.ts";
import type { GitContext } from "../git/index.ts";
import { folderTree, isPlainFolder } from "./folderTree.ts";
import type { RepositoryTree } from "./repositoryTree.ts";

/** Which repository to read. */
export interface RepositoryPlace {
  /**
   * A URL, or a path: of a folder, taken as it lies on disk with what is not committed yet, or of a bare repository.
   */
  readonly location: string;
  /** The branch to read, but for a folder on disk. */
  readonly branch: string;
  /** Whether a folder with a work tree is read through git like any other repository: its branch, not what lies there. */
  readonly committed?: boolean;
}

/**
 * Hands the repository to `use`: a folder from disk, anything else by one shallow fetch. `use` may be called again where
 * a server cannot serve a way of reading. Rejects with GitError where the repository cannot be read.
 */
export async function openRepository<T>(
  { location, branch, committed = false }: RepositoryPlace,
  context: GitContext,
  use: (tree: RepositoryTree) => Promise<T>,
): Promise<T> {
  const path = localPath(location);
  if (!committed && path !== undefined) {
    if (await isPlainFolder(path)) return use(folderTree(path));
    if (!existsSync(path)) {
      const next =
        "Name a folder, a bare repository, or a URL such as https://git.example.com/edge/fleet.git.";
      throw new GitError("unreachable", `${location} does not exist. ${next}`);
    }
  }
  return withTree({ url: committed ? location : (path ?? location), branch }, context, use);
}

/** The path on this machine that a location names; undefined for a URL and for SSH's short form, `user@host:path`. */
function localPath(location: string): string | undefined {
  const isRemote = /^[a-z][a-z0-9+.-]*:\/\//i.test(location) || /^[\w.-]+@?[\w.-]*:(?!\\)/.test(location);
  return isRemote ? undefined : resolve(location);
}
