import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it, where they are not there; rejects with the system's error for the folder that cannot
 * be made. Step by step, since Node's own `recursive` never returns in a file system that answers as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  let at = resolve(folder);
  while (!(await made(at, dirname(at) === at))) {
    missing.push(at);
    at = dirname(at);
  }
  for (const each of missing.reverse()) await made(each, true);
}

/** Whether the folder is there now; without the folder above it, false, or with `last` the error. */
async function made(folder: string, last: boolean): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // What else than a folder is there shows when something is written into it.
    if (code === "EEXIST") return true;
    if (code === "ENOENT" && !last) return false;
    throw error;
  }
}
