import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { GitError, type Trees, withTrees } from "../git/index.ts";
import type { GitContext } from "../git/index.ts";
import { folderTree, isPlainFolder } from "./folderTree.ts";
import type { RepositoryTree, RepositoryTrees } from "./repositoryTree.ts";

/** Which repository to read. */
export interface RepositoryPlace {
  /**
   * A URL, or a path: of a folder, taken as it lies on disk with what is not committed yet, or of a bare repository.
   */
  readonly location: string;
  /** The branch that is committed to. A folder on disk stands for it. */
  readonly branch: string;
  /** Branches that clusters follow. Defaults to `branch` alone. */
  readonly follows?: readonly string[];
  /** Whether a folder with a work tree is read through git like any other repository: its branch, not what lies there. */
  readonly committed?: boolean;
}

/**
 * Hands the repository to `use`: a folder from disk, anything else by one shallow fetch a branch. `use` may be called
 * again where a server cannot serve a way of reading. Rejects with GitError where the repository cannot be read.
 */
export async function openRepository<T>(
  { location, branch, follows = [branch], committed = false }: RepositoryPlace,
  context: GitContext,
  use: (trees: RepositoryTrees) => Promise<T>,
): Promise<T> {
  const path = localPath(location);
  const url = committed ? location : (path ?? location);
  if (!committed && path !== undefined) {
    if (await isPlainFolder(path)) return openFolder(path, { branch, follows }, context, use);
    if (!existsSync(path)) {
      const next =
        "Name a folder, a bare repository, or a URL such as https://git.example.com/edge/fleet.git.";
      throw new GitError("unreachable", `${location} does not exist. ${next}`);
    }
  }
  return withTrees(url, [branch, ...follows], context, async (trees) =>
    use(await named(trees, branch, follows)),
  );
}

/** What lies on disk stands for the branch that is committed to; the others are read from the folder's own repository. */
async function openFolder<T>(
  path: string,
  { branch, follows }: { readonly branch: string; readonly follows: readonly string[] },
  context: GitContext,
  use: (trees: RepositoryTrees) => Promise<T>,
): Promise<T> {
  const here = folderTree(path);
  const others = follows.filter((name) => name !== branch);
  if (!existsSync(join(path, ".git"))) return use({ committed: here, followed: new Map([[branch, here]]) });
  return withTrees(path, others, context, async (trees) => {
    const at = orAsFetched(trees.at);
    const followed = new Map<string, RepositoryTree>([...trees.byBranch, [branch, here]]);
    for (const name of others) {
      const fetched = followed.has(name) ? undefined : await at(`refs/heads/${name}`);
      if (fetched !== undefined) followed.set(name, fetched);
    }
    return use({ ...trees, committed: here, followed, at });
  });
}

/** A branch that nobody has worked on in a clone is there as it was fetched last, and only so. */
function orAsFetched(at: Trees["at"]): Trees["at"] {
  return async (revision) => {
    const [, branch] = /^refs\/heads\/(.+)$/.exec(revision) ?? [];
    return (await at(revision)) ?? (branch === undefined ? undefined : at(`refs/remotes/origin/${branch}`));
  };
}

async function named(
  { byBranch, refs, ...rest }: Trees,
  branch: string,
  follows: readonly string[],
): Promise<RepositoryTrees> {
  const isComplete = [branch, ...follows].every((name) => byBranch.has(name));
  return {
    committed: byBranch.get(branch),
    followed: byBranch,
    ...(!isComplete && { branches: (await refs()).branches }),
    refs,
    ...rest,
  };
}

/** The path on this machine that a location names; undefined for a URL and for SSH's short form, `user@host:path`. */
function localPath(location: string): string | undefined {
  const isRemote = /^[a-z][a-z0-9+.-]*:\/\//i.test(location) || /^[\w.-]+@?[\w.-]*:(?!\\)/.test(location);
  return isRemote ? undefined : resolve(location);
}
