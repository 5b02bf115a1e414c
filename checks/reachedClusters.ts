import type { Cluster } from "../fleet/model.ts";
import { folderOf, nameOf } from "../values/path.ts";
import type { FileChange } from "./fileChanges.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** What an update reaches, by the branch that is committed to. */
export interface Reached {
  /** Clusters of which it writes or deletes anything but the objects of windows. */
  readonly changed: readonly Cluster[];
  /** Clusters that have no files at their place: new ones, and those whose folder moves. */
  readonly absent: readonly Cluster[];
}

/** What freezes, limits and policies judge of an update; `changes` are those that it makes in Git. */
export async function reachedClusters(
  clusters: readonly Cluster[],
  changes: readonly FileChange[],
  reader: RepositoryReader,
): Promise<Reached> {
  const folders = await Promise.all(clusters.map(({ fluxFolder }) => reader.list(fluxFolder)));
  const absent = new Set(clusters.filter((_, index) => folders[index] === undefined));
  const touched = new Set(changes.filter((one) => !isOfWindow(one)).map(({ cluster }) => cluster));
  return {
    changed: clusters.filter((cluster) => touched.has(cluster) && !absent.has(cluster)),
    absent: [...absent],
  };
}

function isOfWindow({ cluster, path }: FileChange): boolean {
  return folderOf(path) === cluster.fluxFolder && /^window-.*\.yaml$/.test(nameOf(path));
}
