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

/**
 * Lets many checks ask at once: what is asked in one turn of the event loop becomes one question to the tree, the
 * questions go one after the other, and nothing is asked twice. A thousand clusters so cost as many ways to the server
 * as their folders are deep.
 */
export function repositoryReader(tree: RepositoryTree): RepositoryReader {
  let last: Promise<unknown> = Promise.resolve();

  const batched = <T>(
    ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): ((key: string) => Promise<T | undefined>) => {
    const known = new Map<string, Promise<T | undefined>>();
    let open: { keys: string[]; answer: Promise<ReadonlyMap<string, T>> } | undefined;
    return (key) => {
      let found = known.get(key);
      if (found !== undefined) return found;
      if (open === undefined) {
        const keys: string[] = [];
        const answer = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
          open = undefined;
          const next = last.then(() => ask(keys));
          // A failure is for those who asked; those after them find out for themselves.
          last = next.catch(() => undefined);
          return next;
        });
        open = { keys, answer };
      }
      open.keys.push(key);
      known.set(key, (found = open.answer.then((all) => all.get(key))));
      return found;
    };
  };

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
