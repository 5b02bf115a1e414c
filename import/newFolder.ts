import { sourceView, type SourceTree } from "../build/index.ts";
import { treeWith } from "../checks/applied/index.ts";
import { foldersDownTo } from "../checks/foldersDownTo.ts";
import { fullPath, isInside } from "../values/path.ts";
import type { BuiltPlace } from "./builtPlaces.ts";
import type { FoundCluster } from "./readCluster.ts";

/** Generated files lie in a folder that nothing applies yet: in today's folder, what applies it would take them too. */
export const newFolder = "fleet";

/**
 * A folder for generated files that clusters see, and that nothing applies: `fleet`, or one of that name beside the folders of
 * clusters where `.sourceignore` takes in only those. Undefined where the repository keeps all of them from its clusters.
 */
export async function freeFolder(
  tree: SourceTree,
  clusters: readonly Pick<FoundCluster, "folder">[],
  places: readonly BuiltPlace[],
): Promise<string | undefined> {
  const applied = new Set(
    places.flatMap(({ applies, found }) => ("fault" in found ? [applies] : [...found.folders])),
  );
  const above = new Set(clusters.flatMap(({ folder = "" }) => foldersDownTo(folder).slice(0, -1)));
  const beside = [...above].filter((folder) => folder !== "").map((folder) => fullPath(folder, newFolder));
  const isApplied = (folder: string): boolean =>
    [...applied].some((each) => folder === each || isInside(folder, each));
  for (const folder of [newFolder, ...beside.filter((each) => !isApplied(each))])
    if (await isSeen(tree, folder)) return folder;
  return undefined;
}

/** Whether clusters get what lies in a folder. */
async function isSeen(tree: SourceTree, folder: string): Promise<boolean> {
  const flux = `${folder}/cluster/flux`;
  const after = treeWith(tree, new Map([[`${flux}/set.yaml`, ""]]), new Set());
  const entries = await sourceView(after).list(flux);
  return entries?.some(({ name }) => name === "set.yaml") ?? false;
}
