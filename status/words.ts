/**
 * What can be said of a cluster or of one of its sets: a closed list, worst first. `offline` is said of clusters alone: what
 * their sets do, nobody knows.
 */
export const words = [
  /** Flux says that it failed. */
  "failing",
  /** It runs something else than it should, and nothing is under way. */
  "behind",
  /** Flux is at work, or has not had the time to be. */
  "progressing",
  /** It waits for a set that it depends on, or for the bootstrap. */
  "held back",
  /** The branch that the cluster follows does not hold it yet. */
  "waiting for promotion",
  /** Somebody stopped it. */
  "suspended",
  /** It has not had its first opening with that commit. */
  "waiting for a window",
  /** The cluster has not been heard of for too long. */
  "offline",
  /** Nobody could be asked. */
  "not asked",
  "ready",
] as const;
export type Word = (typeof words)[number];

/** The word that stands for several: the worst of them; `ready` for none. */
export function worst(all: readonly Word[]): Word {
  return words.find((word) => all.includes(word)) ?? "ready";
}

/** Words that end a command with exit code 4. */
export function isAlarm(word: Word): boolean {
  return word === "failing" || word === "behind";
}
