import type { Cluster } from "../../fleet/model.ts";
import { windowsFolder } from "../../fleet/window/resolveWindows.ts";
import { isOurs } from "../generatedFiles.ts";
import { isFluxKustomization, type KubernetesObject, kubernetesObjects } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { TreeEntry } from "../repositoryTree.ts";

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
  { folder, fluxFolder }: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
): Promise<{ readonly gone: readonly CommittedSet[]; readonly entries: readonly TreeEntry[] }> {
  const parent = folder === "" ? windowsFolder : `${folder}/${windowsFolder}`;
  const [entries = [], windows = []] = await Promise.all([reader.list(fluxFolder), reader.list(parent)]);
  const folders = [
    { path: fluxFolder, window: undefined, entries },
    ...(await Promise.all(
      windows
        .filter(({ kind }) => kind === "folder")
        .map(async ({ name }) => {
          const path = `${parent}/${name}`;
          return { path, window: name, entries: (await reader.list(path)) ?? [] };
        }),
    )),
  ];
  const files = folders.flatMap(({ path, window, entries: inside }) =>
    inside
      .filter(({ kind, name }) => kind === "file" && name.endsWith(".yaml"))
      .map(({ name }) => ({ path: path === "" ? name : `${path}/${name}`, window }))
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
  return { gone: read.flat(), entries };
}
