import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { replaceFile } from "../disk/wholeFile.ts";
import type { Missing } from "./memoryFiles.ts";
import type { BuildOutcome } from "./types.ts";

/** What is known of a build: its outcome, or what it looks at beyond what it was known by. */
export type Stored = { readonly outcome: BuildOutcome } | { readonly also: Missing };

/** Folder of built sets, by content. What cannot be read or written there is built again and is no fault. */
export interface BuildStore {
  read(key: string): Promise<Stored | undefined>;
  write(key: string, stored: Stored): Promise<void>;
  /** Takes out what was not asked for the longest, once a day at most. */
  sweep(now?: number): Promise<void>;
}

const day = 86_400_000;
/** Some 5 kB each: 100 MB. */
const mostEntries = 20_000;

export function buildStore(folder: string, most = mostEntries): BuildStore {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.json.gz`);
  return {
    async read(key) {
      try {
        const path = pathOf(key);
        const stored = JSON.parse(gunzipSync(await readFile(path)).toString()) as Stored;
        const { mtimeMs } = await stat(path);
        if (Date.now() - mtimeMs > day) await utimes(path, new Date(), new Date());
        return stored;
      } catch {
        return undefined;
      }
    },
    async write(key, stored) {
      const path = pathOf(key);
      try {
        // Manifests are for the eyes of whoever may read the repository.
        await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
        await replaceFile(path, gzipSync(JSON.stringify(stored)), 0o600);
      } catch {
        // It is built again.
      }
    },
    async sweep(now = Date.now()) {
      const marker = join(folder, "swept");
      try {
        const last = await stat(marker).catch(() => undefined);
        if (last !== undefined && now - last.mtimeMs < day) return;
        const entries = await entriesOf(folder);
        for (const { path } of entries.slice(most)) await rm(path, { force: true });
        await writeFile(marker, "");
      } catch {
        // There is nothing yet, or another run sweeps.
      }
    },
  };
}

/** Files of the store, the newest first. */
async function entriesOf(folder: string): Promise<{ path: string; time: number }[]> {
  const found = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === "swept") continue;
    const path = join(entry.parentPath, entry.name);
    const status = await stat(path).catch(() => undefined);
    if (status !== undefined) found.push({ path, time: status.mtimeMs });
  }
  return found.sort((one, other) => other.time - one.time);
}
