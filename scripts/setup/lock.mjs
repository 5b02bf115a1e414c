import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive, parseOwner, self, startOf } from "./owner.mjs";
import { killGroup, throwIfStopped } from "./run.mjs";

const pollMilliseconds = 150;
const signOfLifeMilliseconds = 10_000;

/**
 * Runs `work` while no other set-up holds the lock folder `path`. The lock names its owner, so one
 * left by a killed process is taken over, after ending the child processes it left running.
 *
 * Every step is one rename of a folder, so a kill at any moment leaves either no lock or a lock that
 * names its owner. `onWait(pid)` is called once when another process has it.
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!take(path)) {
    const owner = ownerOf(path);
    throwIfStopped();
    if (owner === undefined) {
      await pause();
      continue;
    }
    if (!isAlive(owner.token, owner.silentSeconds)) {
      bury(path, owner.token);
      continue;
    }
    if (!told) onWait(parseOwner(owner.token)?.pid);
    told = true;
    await pause();
  }
  const beat = setInterval(() => signOfLife(path), signOfLifeMilliseconds).unref();
  try {
    return await work({ recordChild: (pid) => recordChild(path, pid) });
  } finally {
    clearInterval(beat);
    release(path);
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pollMilliseconds));

function take(path) {
  if (existsSync(path)) return false;
  const stage = `${path}.taking.${self}`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage);
  writeFileSync(join(stage, "owner"), self);
  try {
    renameSync(stage, path); // fails when someone was faster: a lock folder is never empty
    return true;
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    // Windows says EPERM for a folder that is in the way.
    if (["ENOTEMPTY", "EEXIST"].includes(error.code) || (error.code === "EPERM" && existsSync(path)))
      return false;
    throw error;
  }
}

function ownerOf(path) {
  try {
    const file = join(path, "owner");
    return { token: readFileSync(file, "utf8"), silentSeconds: (Date.now() - statSync(file).mtimeMs) / 1000 };
  } catch {
    // Released just now, most likely. One that stays without its file, after a power cut, is nobody's.
    const stat = statSync(path, { throwIfNoEntry: false });
    const lost = stat !== undefined && !existsSync(join(path, "owner")) && Date.now() - stat.mtimeMs > 30_000;
    return lost ? { token: "nobody", silentSeconds: Infinity } : undefined;
  }
}

/**
 * Puts a dead owner's lock aside under a name made from that owner. Of two processes that saw the
 * same dead owner only one can: for the other the name is taken, even if it looks at a new lock by then.
 */
function bury(path, token) {
  endChildren(path, token);
  const grave = `${path}.dead.${token === "nobody" ? `nobody${statSync(path, { throwIfNoEntry: false })?.ino}` : token}`;
  try {
    renameSync(path, grave);
  } catch {
    if (ownerOf(path)?.token === token && !existsSync(grave))
      throw new Error(`cannot put aside the lock ${path}`);
  }
}

function recordChild(path, pid) {
  writeFileSync(join(path, `child.${self}.${pid}-${startOf(pid) ?? "0"}`), "");
}

function endChildren(path, token) {
  let names = [];
  try {
    names = readdirSync(path);
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(`child.${token}.`)) continue;
    const [pid, start] = name.slice(`child.${token}.`.length).split("-");
    if (start !== "0" && startOf(Number(pid)) === start) killGroup(Number(pid), "SIGKILL");
  }
}

function signOfLife(path) {
  try {
    utimesSync(join(path, "owner"), new Date(), new Date());
  } catch {
    // The folder may be gone; the next step of the work will say so better.
  }
}

function release(path) {
  const gone = `${path}.released.${self}`;
  try {
    renameSync(path, gone);
    rmSync(gone, { recursive: true, force: true });
  } catch {
    // Removed by hand meanwhile: then there is nothing to release.
  }
}

/** Removes what killed set-ups left beside the locks in a folder, once it can no longer matter. */
export function sweepLocks(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const match = /\.(taking|released|dead)\.(.+)$/.exec(basename(name));
    if (match === null) continue;
    const path = join(folder, name);
    const idleSeconds =
      (Date.now() - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Date.now())) / 1000;
    if (match[1] === "dead" ? idleSeconds > 3600 : !isAlive(match[2], idleSeconds)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
