/** The last write of each branch. This is where writes that wait could be pushed together. */
const tails = new Map<string, Promise<unknown>>();

/** Runs tasks of one key one after the other, in the order they came; a failed one does not stop the next. */
export function inTurn<T>(key: string, task: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const result = before.then(task, task);
  const tail = result
    .catch(() => undefined)
    .finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  tails.set(key, tail);
  return result;
}
