import type { Branch, GitContext } from "../words/types.ts";
import { withTree } from "../plumbing/treeReader.ts";
import { inventoryPath, parseInventory } from "./inventory.ts";

/**
 * Whose each folder is, by the inventory in it on the newest commit of the branch. A folder without one, or with one that
 * cannot be read, is absent. Rejects with GitError where the branch cannot be read.
 */
export async function readOwners(
  branch: Branch,
  folders: readonly string[],
  context: GitContext,
): Promise<ReadonlyMap<string, string>> {
  const contents = await withTree(branch, context, (tree) => tree.read(folders.map(inventoryPath)));
  return new Map(
    folders.flatMap((folder) => {
      const content = contents.get(inventoryPath(folder));
      if (content === undefined) return [];
      const found = parseInventory(new TextDecoder().decode(content));
      return "fault" in found ? [] : [[folder, found.owner] as const];
    }),
  );
}
