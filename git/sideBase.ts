import { locate, type Snapshot } from "./locate.ts";
import { fullPath, pathsOf } from "./plan.ts";
import type { Scratch } from "./scratch.ts";
import type { WriteRequest } from "./types.ts";
import { vacatedFolders } from "./vacate.ts";

/**
 * By name, the branches that side branches will be merged into, as far as folders matter that are left: a side branch may
 * be older than what others have put there. Fetched only where a folder is left.
 */
export async function basesOf(
  scratch: Scratch,
  requests: readonly WriteRequest[],
): Promise<ReadonlyMap<string, Snapshot>> {
  const found = new Map<string, Snapshot>();
  for (const [base, leaving] of Map.groupBy(requests.filter(leavesFolder), ({ side }) => side?.base)) {
    if (base === undefined) continue;
    // Apart, since the next push is made from the other one.
    const apart = await scratch.beside();
    try {
      const tip = await apart.fetchTip(base);
      if (tip !== undefined)
        found.set(base, await locate(tip.tree, leaving.flatMap(pathsOf), apart.loadTrees));
    } finally {
      await apart.close();
    }
  }
  return found;
}

function leavesFolder({ followed, side, directory, owned, files }: WriteRequest): boolean {
  if (followed !== true || side === undefined) return false;
  const full = (record: object): string[] => Object.keys(record).map((path) => fullPath(directory, path));
  return vacatedFolders(full(owned), full(files)).length > 0;
}
