import type { SourceEntry, SourceTree } from "./types.ts";

/** A source that is asked for one thing at a time. Undefined is what is not there. */
export interface SourceReader {
  readonly list: (folder: string) => Promise<readonly SourceEntry[] | undefined>;
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/**
 * Lets many ask at once: what is asked in one turn of the event loop becomes one question to the tree, the questions go
 * one after the other, and nothing is asked twice. A thousand clusters so cost as many ways to the server as their
 * folders are deep.
 */
export function sourceReader(tree: SourceTree): SourceReader {
  const batched = batches();
  return {
    list: batched((folders) => tree.list(folders)),
    read: batched((paths) => tree.read(paths)),
  };
}

type Ask<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** Makes functions of one key from those of many. All that it makes wait for one another. */
export function batches(): <T>(ask: Ask<T>) => (key: string) => Promise<T | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(ask: Ask<T>) => {
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
}
