import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { realPath } from "../disk/realPath.ts";
import { WriteError } from "./writeFiles.ts";

/** How long another is waited for, in milliseconds: a check of 3,000 clusters takes a few seconds. */
const patience = 20_000;
const pause = 50;

/**
 * Does something while nobody else changes a file: `<file>.arcflux-lock` names who does. A lock whose process is gone is
 * taken over; another's is waited for. Rejects with WriteError where that takes too long, and with the system's error where
 * nothing can be written there.
 */
export async function whileLocked<T>(
  path: string,
  act: () => Promise<T>,
  mostMilliseconds = patience,
): Promise<T> {
  const lock = `${realPath(path)}.arcflux-lock`;
  const end = Date.now() + mostMilliseconds;
  while (!(await taken(lock))) {
    const holder = await readFile(lock, "utf8").catch(() => "");
    if (await isGone(lock, holder)) await takeAway(lock, holder);
    else if (Date.now() > end)
      throw new WriteError(
        `${path} is being changed by process ${holder.trim() || "of another"}. Nothing was changed; try again, or delete ${lock} if that is over.`,
      );
    else await sleep(pause);
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid} on ${hostname()}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** An empty one was just made, or its maker ended before it was written. */
async function isGone(lock: string, holder: string): Promise<boolean> {
  const [, pid, host] = /^(\d+) on (.*)\n$/.exec(holder) ?? [];
  if (pid === undefined) {
    const made = await stat(lock).catch(() => undefined);
    return made !== undefined && Date.now() - made.mtimeMs > 5_000;
  }
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Two may find the same lock left behind: what one moved away is put back where it is another's by now. */
async function takeAway(lock: string, holder: string): Promise<void> {
  const aside = `${lock}-${process.pid}`;
  await rename(lock, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => holder);
  if (moved === holder) await rm(aside, { force: true });
  else await rename(aside, lock);
}
