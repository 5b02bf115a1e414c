import { durationSeconds } from "../../values/duration.ts";

/** Whether a commit is so young that Flux, which looks at intervals, need not have taken it yet; the durations add up. */
export function isFresh(committedAt: string | undefined, durations: readonly string[], now: Date): boolean {
  if (committedAt === undefined) return false;
  const seconds = durations.reduce((sum, duration) => sum + durationSeconds(duration), 0);
  return now.getTime() - Date.parse(committedAt) < seconds * 1000;
}
