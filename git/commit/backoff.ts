/** Milliseconds to wait after losing a race for the nth time (from 1): random, under a cap that grows to 8 s. */
export function backoff(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(8_000, 100 * 2 ** Math.min(attempt - 1, 10)));
}
