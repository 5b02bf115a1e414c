import { foldersDownTo } from "../checks/foldersDownTo.ts";
import { placeParts } from "./clusterNames.ts";

/**
 * Folders for clusters whose folders lie at different depths today, below `newFolder` as they are among each other: who may
 * change what by its path stays so. By the cluster's name, where `<newFolder>/<name>` does not say it; empty where all lie
 * at one depth, or where one would come to lie in another's.
 */
export function clusterFolders(
  clusters: readonly { readonly name: string; readonly folder?: string | undefined }[],
  newFolder: string,
): ReadonlyMap<string, string> {
  const places = clusters.map(({ folder = "" }) => placeParts(folder));
  const depths = new Set(places.map(({ length }) => length));
  if (depths.size < 2) return new Map();
  const [first] = places;
  let shared = 0;
  while (places.every((parts) => parts.length > shared + 1 && parts[shared] === first![shared])) shared += 1;
  const folders = places.map((parts) => parts.slice(shared).join("/"));
  if (!areApart(folders)) return new Map();
  return new Map(
    clusters.flatMap(({ name }, index) =>
      folders[index] === name ? [] : [[name, `${newFolder}/${folders[index]}`]],
    ),
  );
}

/** Whether each folder is one cluster's alone, also where upper and lower case are one, and none lies in another. */
function areApart(folders: readonly string[]): boolean {
  const lower = folders.map((folder) => folder.toLowerCase());
  const taken = new Set(lower);
  const isFree = (folder: string): boolean =>
    !folder.split("/").includes("") &&
    foldersDownTo(folder)
      .slice(0, -1)
      .every((above) => !taken.has(above));
  return taken.size === folders.length && lower.every(isFree);
}
