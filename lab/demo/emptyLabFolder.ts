import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { endLeftoverClusters } from "../cluster/leftoverClusters.ts";
import { takeLock } from "../lock.ts";
import { makeFolder } from "../makeFolder.ts";

/**
 * Empties the folder of an earlier demo, or makes it; what is left running of it is ended. Refuses a folder that holds
 * anything else: a mistyped `--dir` must not cost anybody their files. Throws LabInUse when a lab runs there.
 */
export async function emptyLabFolder(dir: string): Promise<void> {
  makeFolder(dir);
  const names = await readdir(dir);
  const isLab = names.includes("pulumi-home") && names.includes("git");
  if (names.length > 0 && !isLab) {
    throw new Error(
      `${dir} is not empty and not the folder of an earlier demo. Name another one with --dir.`,
    );
  }
  const release = takeLock(dir);
  try {
    await endLeftoverClusters(dir);
    const old = names.filter((name) => name !== "lock");
    await Promise.all(old.map((name) => rm(join(dir, name), { recursive: true, force: true })));
  } finally {
    release();
  }
}
