/** Does something for each, so many at once, in their order. */
export async function inParallel<T>(
  all: readonly T[],
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const rest = all.values();
  const next = async (): Promise<void> => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, next));
}
