import type { Cluster } from "../fleet/model.ts";
import { committedSets } from "./deletions/committedSets.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";

/** What an update reaches, by the branch that is committed to. */
export interface Reached {
  /** Clusters of which it writes or deletes anything but the objects of windows. */
  readonly changed: readonly Cluster[];
  /** Clusters that have no files at their place: new ones, and those whose folder moves. */
  readonly absent: readonly Cluster[];
}

/** Looks once for all that freezes, limits and policies judge. */
export async function reachedClusters(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
): Promise<Reached> {
  const seen = await Promise.all(
    [...rendered].map(async ([cluster, files]) => {
      if ((await reader.list(cluster.fluxFolder)) === undefined) return "absent";
      return (await isChanged(cluster, files, reader)) ? "changed" : "same";
    }),
  );
  const clusters = [...rendered.keys()];
  const those = (how: (typeof seen)[number]) => clusters.filter((_, index) => seen[index] === how);
  return { changed: those("changed"), absent: those("absent") };
}

async function isChanged(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<boolean> {
  const { gone } = await committedSets(cluster, new Set(files.keys()), reader);
  if (gone.length > 0) return true;
  const written = await Promise.all(
    [...files].map(async ([path, text]) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const folder = path.slice(0, Math.max(path.length - name.length - 1, 0));
      if (folder === cluster.fluxFolder && /^window-.*\.yaml$/.test(name)) return false;
      const entry = (await reader.list(folder))?.find((one) => one.name === name);
      if (entry === undefined) return true;
      // What lies on disk has no id.
      return !hasBytes(entry, text) && (await reader.read(path)) !== text;
    }),
  );
  return written.some(Boolean);
}
