import type { Cluster, Fleet } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { inventoriesBelow, isOf, savedOf, type Writer } from "./folderOwners.ts";
import { isChanged } from "./frozenClusters.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** Who updates, and why all clusters at once, where somebody says so. */
interface Update {
  readonly writer: Writer;
  readonly all: string | undefined;
}

/**
 * An error where an update changes what more clusters have than `limits.clustersPerUpdate` lets, and a warning where
 * somebody says why it must be all. Clusters of another branch get it by promotion, and one that is new has nothing to lose.
 */
export async function checkUpdateLimit(
  { limits, repository }: Pick<Fleet, "limits" | "repository">,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
  { writer, all }: Update,
): Promise<Fault[]> {
  const most = limits?.clustersPerUpdate;
  if (most === undefined) return [];
  const seen = await Promise.all(
    [...rendered].map(async ([cluster, files]): Promise<readonly [Cluster, "changed" | "absent"][]> => {
      if (cluster.follows !== repository.branch) return [];
      if ((await reader.list(cluster.fluxFolder)) === undefined) return [[cluster, "absent"]];
      return (await isChanged(cluster, files, reader)) ? [[cluster, "changed"]] : [];
    }),
  );
  const found = seen.flat();
  if (found.length <= most) return [];
  const absent = found.flatMap(([cluster, how]) => (how === "absent" ? [cluster] : []));
  const moved = await movedClusters(absent, [...rendered.keys()], reader, writer);
  const reached = found.flatMap(([cluster, how]) =>
    how === "changed" || moved.has(cluster) ? [cluster] : [],
  );
  if (reached.length <= most) return [];
  const names = showSome(reached.map(({ name }) => name));
  const said = `is ${most}, and this update would reach ${reached.length} at once (${names})`;
  const path = ["limits", "clustersPerUpdate"];
  return all === undefined
    ? [
        {
          severity: "error",
          path,
          message: `${said}; change fewer, go by promotion, or set ARCFLUX_ALL to the reason why all`,
        },
      ]
    : [{ severity: "warning", path, message: `${said}; passed by: ${all}` }];
}

/** Clusters without files at their place that have some at another: a layout that changes makes nobody new. */
async function movedClusters(
  absent: readonly Cluster[],
  all: readonly Cluster[],
  reader: RepositoryReader,
  writer: Writer,
): Promise<ReadonlySet<Cluster>> {
  if (absent.length === 0) return new Set();
  const places = new Set(all.map(({ fluxFolder }) => fluxFolder));
  const others = (await inventoriesBelow("", reader)).filter((folder) => !places.has(folder));
  const left = (await Promise.all(others.map((folder) => readInventory(folder, reader)))).filter(
    (inventory) => inventory !== undefined,
  );
  // A name is the last part of its owner; whether the owner is the same is asked of those alone.
  const byName = Map.groupBy(left, ({ owner }) => owner.slice(owner.lastIndexOf("/") + 1));
  return new Set(
    absent.filter((cluster) => {
      const known = [cluster.name, ...(cluster.formerly === undefined ? [] : [cluster.formerly])];
      const named = known.flatMap((name) => byName.get(name) ?? []);
      return (
        savedOf(cluster, writer) !== undefined || named.some((inventory) => isOf(cluster, inventory, writer))
      );
    }),
  );
}
