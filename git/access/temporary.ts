import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { GitError } from "../words/errors.ts";
import { guardFolder } from "./guard.ts";

const prefix = "arcflux-git-";
/** Containers may share the folder, and a process of another one looks dead from here. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
/** Where a folder is made whose path must be short: of a signing key, where that of TMPDIR is too long for gpg. */
export const shortFolder = "/tmp";
const swept = new Set<string>();
const open = new Set<string>();
let exitHookSet = false;

/** Makes a folder only this user can read, hands it to `use`, and removes it whatever happens. */
export async function withTemporaryFolder<T>(
  tempRoot: string | undefined,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const root = tempRoot ?? tmpdir();
  // Each place that ever holds a key, whatever this run will need.
  for (const place of process.platform === "win32" ? [root] : [root, shortFolder]) {
    if (swept.has(place)) continue;
    swept.add(place);
    await sweep(place);
  }
  if (!exitHookSet) {
    exitHookSet = true;
    process.once("exit", () => {
      for (const folder of open) rmSync(folder, removal);
    });
  }
  const folder = await mkdtemp(join(root, `${prefix}${process.pid}-${host}-`)).catch((error: unknown) => {
    if (isFull(error)) throw noRoom(root);
    const reason = error instanceof Error ? error.message : String(error);
    const next = "Set TMPDIR to a folder that can be written to, and run again.";
    throw new GitError("failed", `No temporary folder could be made in ${root}: ${reason}. ${next}`);
  });
  open.add(folder);
  const removed = guardFolder(folder);
  try {
    return await use(folder);
  } catch (error) {
    if (isFull(error)) throw noRoom(root);
    throw isUnwritten(error, folder) ? notWritable(root, error) : error;
  } finally {
    await rm(folder, removal);
    open.delete(folder);
    removed();
  }
}

/** Said by Node of a file it wrote, or by git of one of its own. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === "ENOSPC" ||
    code === "EDQUOT" ||
    /No space left on device|Disk quota exceeded|Out of diskspace/.test(error.message)
  );
}

/** What git says of a file that it could not write, often without the reason. */
const unwritten =
  /failed to write|(couldn't|could not|unable to|cannot) (write|create|set|open|append|lock|mkdir|rename)|write error/i;

/** Whether git could not write a file of the folder: it names the file, as it names no file of the server's. */
function isUnwritten(error: unknown, folder: string): error is Error {
  if (!(error instanceof Error)) return false;
  return error.message.split("\n").some((line) => line.includes(folder) && unwritten.test(line));
}

const otherFolder = "Free some, or set TMPDIR to a folder with room, and run again.";

function noRoom(root: string): GitError {
  return new GitError(
    "failed",
    `There is no room left in the temporary folder ${root}; nothing was pushed. ${otherFolder}`,
  );
}

function notWritable(root: string, error: Error): GitError {
  const said = error.message.split("\n").filter((line) => line.startsWith("  "));
  const what = `The temporary folder ${root} could not be written to, most likely for want of room; nothing was pushed.`;
  return new GitError("failed", [what, ...said, otherFolder].join("\n"));
}

const removal = { recursive: true, force: true, maxRetries: 3 } as const;

/** Removes what a killed process of this machine left behind. */
async function sweep(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const [, pid, owner] = /^arcflux-git-(\d+)-([0-9a-f]+)-/.exec(name) ?? [];
    if (pid === undefined || owner !== host || isRunning(Number(pid))) continue;
    // Not ours to remove, or removed by another process meanwhile: either way no reason to stop.
    await rm(join(root, name), removal).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
