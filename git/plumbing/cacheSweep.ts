import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const longestIdle = 90 * 24 * 3_600_000;
const swept = new Set<string>();

/** Removes, once a process, what branches left in the cache that nobody has written to for 90 days. */
export async function sweepCache(root: string): Promise<void> {
  if (swept.has(root)) return;
  swept.add(root);
  for (const name of await readdir(root).catch(() => [])) {
    // The lock's folder changes with every write.
    const lock = await stat(join(root, name, "lock")).catch(() => undefined);
    if (lock === undefined || Date.now() - lock.mtimeMs < longestIdle) continue;
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
