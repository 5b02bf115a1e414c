import { branchKey } from "../words/branchKey.ts";
import type { Branch } from "../words/types.ts";

const coming = new Map<string, number>();

/**
 * Says that a write to the branch is on its way and only has to look something up first, so that a group about to be
 * pushed waits for it. Returns what to call when the write is made, or not made after all.
 */
export function announceWrite(branch: Branch): () => void {
  const key = branchKey(branch);
  coming.set(key, comingTo(key) + 1);
  let over = false;
  return () => {
    if (over) return;
    over = true;
    const left = comingTo(key) - 1;
    if (left > 0) coming.set(key, left);
    else coming.delete(key);
  };
}

/** How many writes are on their way to the branch of a key. */
export function comingTo(key: string): number {
  return coming.get(key) ?? 0;
}
