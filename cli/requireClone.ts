import { isPlainFolder } from "../checks/folderTree.ts";
import { show } from "../values/show.ts";
import { UsageError } from "./fleetCommand.ts";

/** Refuses a folder that is not there: a misspelt one would become a repository of its own that nobody commits. */
export async function requireClone(folder: string): Promise<void> {
  if (await isPlainFolder(folder)) return;
  throw new UsageError(
    `${show(folder)} is not a folder. Nothing was changed; give a working copy of the repository.`,
  );
}
