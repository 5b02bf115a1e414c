import type { Cluster } from "../../fleet/model.ts";
import { fullPath } from "../../values/path.ts";
import { isOurs } from "../generatedFiles.ts";
import { isFluxKustomization, type KubernetesObject, kubernetesObjects } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { TreeEntry } from "../repositoryTree.ts";
import { setFolders } from "../setFolders.ts";

/** A generated Kustomization of a set whose file an update takes away. */
export interface CommittedSet {
  readonly object: KubernetesObject;
  readonly text: string;
  /** The window whose folder it lies in; undefined for the flux folder. */
  readonly window: string | undefined;
}

/**
 * The sets of a cluster as a branch has them, in the flux folder and in those of windows, whose files an update would not
 * write again; and the entries of the flux folder. Only such files are read.
 */
export async function committedSets(
  cluster: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
): Promise<{ readonly gone: readonly CommittedSet[]; readonly entries: readonly TreeEntry[] }> {
  const folders = await setFolders(cluster, reader);
  const files = folders.flatMap(({ path, window, entries: inside }) =>
    inside
      .filter(({ kind, name }) => kind === "file" && name.endsWith(".yaml"))
      .map(({ name }) => ({ path: fullPath(path, name), window }))
      .filter((file) => !ours.has(file.path)),
  );
  const read = await Promise.all(
    files.map(async ({ path, window }): Promise<CommittedSet[]> => {
      const text = await reader.read(path);
      if (text === undefined || !isOurs(text)) return [];
      const objects = (kubernetesObjects(text, path) ?? []).filter(isFluxKustomization);
      // A window's own Kustomization applies its folder, and is not a set.
      return objects
        .filter(({ name }) => window !== undefined || !name.startsWith("window-"))
        .map((object) => ({ object, text, window }));
    }),
  );
  return { gone: read.flat(), entries: folders[0]!.entries };
}
