import type { Cluster, Fleet } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { isChanged } from "./frozenClusters.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/**
 * An error where an update changes what more clusters have than `limits.clustersPerUpdate` lets, and a warning where
 * somebody says why it must be all. Clusters of another branch get it by promotion, one that is new has nothing to lose,
 * and an update of one ring alone goes by rings.
 */
export async function checkUpdateLimit(
  { limits, repository }: Pick<Fleet, "limits" | "repository">,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
  all: string | undefined,
): Promise<Fault[]> {
  const most = limits?.clustersPerUpdate;
  if (most === undefined) return [];
  const found = await Promise.all(
    [...rendered].map(async ([cluster, files]) => {
      if (cluster.follows !== repository.branch) return [];
      if ((await reader.list(cluster.fluxFolder)) === undefined) return [];
      return (await isChanged(cluster, files, reader)) ? [cluster] : [];
    }),
  );
  const reached = found.flat();
  const rings = new Set(reached.map(({ stage, ring }) => ring && `${stage ?? ""}/${ring}`));
  if (reached.length <= most || (rings.size === 1 && !rings.has(undefined))) return [];
  const names = showSome(reached.map(({ name }) => name));
  const said = `is ${most}, and this update would reach ${reached.length} at once (${names})`;
  const path = ["limits", "clustersPerUpdate"];
  return all === undefined
    ? [{ severity: "error", path, message: `${said}; go by rings, or set ARCFLUX_ALL to the reason why all` }]
    : [{ severity: "warning", path, message: `${said}; passed by: ${all}` }];
}
