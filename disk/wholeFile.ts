import { chmod, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "./makeFolder.ts";
import { isRunning, ownName } from "./processName.ts";
import { realPath } from "./realPath.ts";

/** What a file is to hold, beside it. */
export interface Staged {
  /** Puts it in the file's place: whoever reads that meanwhile sees the old content or the new one, never half of it. */
  readonly put: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Content, or what writes it at a path where nothing is yet. */
export type Content = string | Uint8Array | ((fresh: string) => Promise<void>);

let counter = 0;

/**
 * Writes what a file is to hold beside it, in a folder that is made where it is not there. A link stays one, and the file
 * keeps its mode; a new one gets `mode`. What killed processes left in the folder is taken away. Rejects with the system's
 * error, whose `path` is the file or the folder.
 */
export async function stageFile(path: string, content: Content, mode?: number): Promise<Staged> {
  const file = realPath(path);
  const fresh = `${file}.arcflux-${ownName}-${counter++}`;
  const drop = (): Promise<void> => rm(fresh, { force: true });
  await makeFolder(dirname(file));
  await sweep(dirname(file));
  try {
    const before = (await stat(file).catch(absent))?.mode;
    if (typeof content === "function") await content(fresh);
    else await writeFile(fresh, content, { flag: "wx", ...(mode !== undefined && { mode }) });
    if (before !== undefined) await chmod(fresh, before & 0o7777);
  } catch (error) {
    await drop();
    // The name beside it is of no use to a reader.
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
  return { put: () => rename(fresh, file), drop };
}

/** Replaces a file at once, or makes it. Rejects as {@link stageFile} does. */
export async function replaceFile(path: string, content: Content, mode?: number): Promise<void> {
  const staged = await stageFile(path, content, mode);
  try {
    await staged.put();
  } catch (error) {
    await staged.drop();
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Nothing, for a place that is not there; any other error stays one. */
function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

const swept = new Set<string>();

/** Takes away what processes that are no more staged in a folder: once a run is enough. */
async function sweep(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = /\.arcflux-([0-9a-f]{8}-\d+-\d+)-\d+$/.exec(name)?.[1];
    if (owner === undefined) continue;
    const path = join(folder, name);
    // Gone by now, or not ours to remove: either way no reason to stop.
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || isRunning(owner, (Date.now() - found.mtimeMs) / 1000)) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}
