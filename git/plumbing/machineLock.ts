import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, ownName } from "../../disk/processName.ts";

/** How to wait for a lock. */
export interface LockOptions {
  /** Longest wait in milliseconds in which nobody ahead gets done; past it the work starts without the lock. */
  readonly wait: number;
  /** Throws to give up waiting. */
  readonly assertAlive: () => void;
}

/** Between two looks at who is ahead, for the next in line; those further back look less often, up to about a second. */
const look = 15;
const mostLooks = 64;
const signOfLife = 10_000;
let count = 0;

/**
 * Runs `work` while no other process of this machine holds the lock in `folder`, in the order of arrival. The lock is
 * advice that saves lost races: where the folder cannot be written, or the wait gets too long, the work is done without.
 *
 * Each process in line has a ticket, a file whose name orders it and names its owner; the first ticket may take the
 * lock, the folder `held`. It is taken and given up by renaming a folder, so a kill at any moment leaves either no lock
 * or one that names its owner, and the next in line puts that of a dead owner aside.
 */
export async function withMachineLock<T>(
  folder: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const name = `${String(Date.now()).padStart(15, "0")}_${ownName}_${(count += 1)}`;
  const ticket = join(folder, `${name}.ticket`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(ticket, "");
  } catch {
    return work();
  }
  const beat = setInterval(() => {
    const now = new Date();
    for (const file of [ticket, join(folder, "held", name)])
      void utimes(file, now, now).catch(() => undefined);
  }, signOfLife).unref();
  let taken = false;
  try {
    taken = await take(folder, name, options);
    return await work();
  } finally {
    clearInterval(beat);
    // The lock first: the next in line may only find it free once it sees our ticket gone.
    if (taken) await release(folder, name);
    await rm(ticket, { force: true }).catch(() => undefined);
  }
}

/** Waits for the turn; false when that took too long or the folder fails. */
async function take(folder: string, name: string, { wait, assertAlive }: LockOptions): Promise<boolean> {
  let [end, fewest] = [performance.now() + wait, Infinity];
  const stage = join(folder, `stage_${name}`);
  try {
    await mkdir(stage);
    await writeFile(join(stage, name), "");
    for (;;) {
      const ahead = await countAhead(folder, name);
      if (ahead === 0 && ((await moved(stage, join(folder, "held"))) || (await buried(folder)))) {
        if (!(await exists(stage))) return true;
        continue;
      }
      if (ahead < fewest) [end, fewest] = [performance.now() + wait, ahead];
      if (performance.now() >= end) break;
      const pause = look * Math.min(Math.max(ahead, 1), mostLooks);
      await new Promise((resolve) => setTimeout(resolve, pause));
      assertAlive();
    }
  } catch (error) {
    // An error of the file system means that the folder cannot be used; any other that the caller is gone.
    if (!(error instanceof Error && "code" in error)) throw error;
  } finally {
    await rm(stage, { recursive: true, force: true }).catch(() => undefined);
  }
  return false;
}

/** How many tickets came before, from the first of a process that runs; those of dead ones before it are removed. */
async function countAhead(folder: string, name: string): Promise<number> {
  const before = (await readdir(folder))
    .filter((file) => file.endsWith(".ticket") && file < `${name}.ticket`)
    .sort();
  // One look is enough: whoever is dead further back is found once it is first.
  for (const [index, file] of before.entries()) {
    if (await ownerRuns(folder, file)) return before.length - index;
    await rm(join(folder, file), { force: true });
  }
  return 0;
}

/** Puts aside the lock of a dead owner. Under a name made from that owner: of two that saw it dead only one can. */
async function buried(folder: string): Promise<boolean> {
  const held = join(folder, "held");
  const [owner] = await readdir(held).catch(() => []);
  if (owner === undefined || (await ownerRuns(held, owner))) return false;
  const grave = join(folder, `dead_${owner}`);
  const done = await moved(held, grave);
  // Long after, so that no slow process can take the grave's name for a free one.
  for (const file of await readdir(folder)) {
    if (/^(dead|stage)_/.test(file) && (await ageOf(join(folder, file))) > 3600) {
      await rm(join(folder, file), { recursive: true, force: true });
    }
  }
  return done;
}

async function release(folder: string, name: string): Promise<void> {
  const gone = join(folder, `stage_${name}`);
  // Only our own: after a very long stop of this process another may have put ours aside.
  const [owner] = await readdir(join(folder, "held")).catch(() => []);
  if (owner === name && (await moved(join(folder, "held"), gone))) {
    await rm(gone, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Renames a folder; false where the new name is taken, since a lock folder is never empty, or the old one gone. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch {
    return false;
  }
}

async function ownerRuns(folder: string, file: string): Promise<boolean> {
  const [, owner = ""] = file.replace(/\.ticket$/, "").split("_");
  return isRunning(owner, await ageOf(join(folder, file)));
}

/**
 * Seconds since the file's last sign of life; 0 when it is gone. A sign that lies ahead was given before the clock was set
 * back, and says nothing of now: who lives gives another within seconds.
 */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : Math.abs(Date.now() - found.mtimeMs) / 1000;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
