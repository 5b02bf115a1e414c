import type { Cluster } from "../fleet/model.ts";
import { windowsFolder } from "../fleet/window/resolveWindows.ts";
import { fullPath } from "../values/path.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import type { TreeEntry } from "./repositoryTree.ts";

/** A folder of a cluster that sets are generated into. */
export interface SetFolder {
  /** From the root of the repository. */
  readonly path: string;
  /** The window that it is of; undefined for the flux folder, which is the first. */
  readonly window: string | undefined;
  readonly entries: readonly TreeEntry[];
}

/** The flux folder of a cluster, and those of its windows, as a branch has them. */
export async function setFolders(
  { folder, fluxFolder }: Cluster,
  reader: RepositoryReader,
): Promise<SetFolder[]> {
  const parent = fullPath(folder, windowsFolder);
  const [entries = [], windows = []] = await Promise.all([reader.list(fluxFolder), reader.list(parent)]);
  const ofWindows = windows
    .filter(({ kind }) => kind === "folder")
    .map(async ({ name: window }) => {
      const path = fullPath(parent, window);
      return { path, window, entries: (await reader.list(path)) ?? [] };
    });
  return [{ path: fluxFolder, window: undefined, entries }, ...(await Promise.all(ofWindows))];
}
