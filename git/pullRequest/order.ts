const tails = new Map<string, Promise<unknown>>();

/** Runs tasks of one key one after the other: two of one process must not open two pull requests. */
export function inOrder<T>(key: string, task: () => Promise<T>): Promise<T> {
  const result = (tails.get(key) ?? Promise.resolve()).then(task, task);
  const tail = result
    .catch(() => undefined)
    .finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  tails.set(key, tail);
  return result;
}
