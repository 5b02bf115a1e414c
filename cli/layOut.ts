import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "./fleetCommand.ts";
import { writeNew } from "./writeNew.ts";

/**
 * Lays folders of manifests out below a clone of the repository, and gives the files that it wrote. A folder that has
 * anything in it stays as it is. Throws UsageError where there is no clone.
 */
export async function layOut(
  clone: string,
  folders: readonly string[],
  files: ReadonlyMap<string, string>,
): Promise<string[]> {
  const isClone = await stat(join(clone, ".git")).catch(() => undefined);
  if (isClone === undefined)
    throw new UsageError(`${clone} is not a clone of a repository. Name one with --repo.`);
  const made: string[] = [];
  for (const folder of folders) {
    const there = await readdir(join(clone, folder)).catch(() => []);
    if (there.length > 0) continue;
    for (const [name, text] of files) {
      const path = join(clone, folder, name);
      await writeNew(path, text);
      made.push(path);
    }
  }
  return made;
}
