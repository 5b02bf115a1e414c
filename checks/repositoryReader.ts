import { batches } from "../build/index.ts";
import type { ChangeOrigin } from "../git/index.ts";
import type { RepositoryTree, RepositoryTrees, TreeEntry } from "./repositoryTree.ts";

/** A repository tree that is asked for one thing at a time. Undefined is what is not there. */
export interface RepositoryReader {
  list(folder: string): Promise<readonly TreeEntry[] | undefined>;
  /** Text of a file, UTF-8. */
  read(path: string): Promise<string | undefined>;
  /** The commit that last changed a path, as far as the history tells. */
  lastChange(path: string): Promise<ChangeOrigin | undefined>;
}

/** The trees of a repository, each asked for one thing at a time, and nothing twice. */
export interface RepositoryReaders {
  readonly committed: RepositoryReader | undefined;
  /** By branch that clusters follow. */
  readonly followed: ReadonlyMap<string, RepositoryReader>;
  /** The commit at the tip of a branch; undefined for what lies on disk. */
  readonly tip: (branch: string) => string | undefined;
}

export function repositoryReaders({ committed, followed }: RepositoryTrees): RepositoryReaders {
  const known = new Map<RepositoryTree, RepositoryReader>();
  const readerOf = (tree: RepositoryTree): RepositoryReader => {
    const reader = known.get(tree) ?? repositoryReader(tree);
    known.set(tree, reader);
    return reader;
  };
  return {
    committed: committed && readerOf(committed),
    followed: new Map([...followed].map(([branch, tree]) => [branch, readerOf(tree)])),
    tip: (branch) => followed.get(branch)?.commit,
  };
}

/** Lets many checks ask at once; see `batches`. */
export function repositoryReader(tree: RepositoryTree): RepositoryReader {
  const batched = batches();
  const bytes = batched((paths) => tree.read(paths));
  return {
    list: batched((folders) => tree.list(folders)),
    read: async (path) => {
      const content = await bytes(path);
      return content && new TextDecoder().decode(content);
    },
    lastChange: batched(
      async (paths) => (await tree.lastChanges?.(paths)) ?? new Map<string, ChangeOrigin>(),
    ),
  };
}
