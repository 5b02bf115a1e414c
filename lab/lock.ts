import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { another, makeFolder } from "./makeFolder.ts";
import { isAlive } from "./endWithParent.ts";

/** The folder is in use by another lab. */
export class LabInUse extends Error {
  constructor(dir: string, pid: number) {
    super(
      `A lab is already running in ${dir} (process ${pid}). Stop it first, or choose another folder with --dir DIR.`,
    );
    this.name = "LabInUse";
  }
}

/**
 * Takes the lock of a lab's folder and returns what gives it back. Throws LabInUse when a living process holds it;
 * a lock whose owner is gone is broken. Throws an error with the next step when the folder cannot be made or written.
 */
export function takeLock(dir: string): () => void {
  makeFolder(dir);
  const file = path.join(dir, "lock");
  const mine = `${file}.${process.pid}`;
  const text = `${process.pid} ${birth(process.pid)}\n`;
  try {
    writeFileSync(mine, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new Error(`Nothing can be written to ${dir} (${code}). ${another}`, { cause: error });
  }
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (linked(mine, file)) return () => release(file, text);
      breakIfStale(dir, file);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new Error(`${file} could not be taken: other labs keep taking it. Try again.`);
}

/** Whether the lock is now ours. A link appears whole, with the owner in it, or not at all. */
function linked(mine: string, file: string): boolean {
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function breakIfStale(dir: string, file: string): void {
  const text = read(file);
  if (text === undefined) return;
  const [pid = "", born = ""] = text.trim().split(" ");
  if (isAlive(Number(pid)) && (born === "" || birth(Number(pid)) === born))
    throw new LabInUse(dir, Number(pid));
  // Moved aside first and looked at again: another lab may have broken it already and taken it.
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== text) linked(aside, file);
  rmSync(aside, { force: true });
}

function release(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * When a process started, where the system says so, else "": a process id is used again after a while. One that has
 * ended and that nobody has waited for yet is gone, though its id is still taken.
 */
export function birth(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  // Fields 3 and 22; the name in field 2 may hold spaces, and ends with the last parenthesis.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return fields[0] === "Z" ? "" : (fields[19] ?? "");
}
