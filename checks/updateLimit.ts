import type { PassedLimit } from "../fleet/facts.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { inventoriesBelow, isOf, savedOf, type Writer } from "./folderOwners.ts";
import type { Reached } from "./reachedClusters.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** Who updates, and why all clusters at once, where somebody says so. */
interface Update {
  readonly writer: Writer;
  readonly all: string | undefined;
}

/** What is wrong with an update, and what it passes since somebody says why it must be. */
export interface UpdateLimit {
  readonly faults: readonly Fault[];
  readonly passed?: PassedLimit;
}

/**
 * An error where an update changes what more clusters have than `limits.clustersPerUpdate` lets, and a warning where
 * somebody says why it must be all. Clusters of another branch get it by promotion, and one that is new has nothing to lose.
 */
export async function checkUpdateLimit(
  { limits, repository, clusters }: Pick<Fleet, "limits" | "repository" | "clusters">,
  { changed, absent }: Reached,
  reader: RepositoryReader,
  { writer, all }: Update,
): Promise<UpdateLimit> {
  const most = limits?.clustersPerUpdate;
  const atOnce = ({ follows }: Cluster): boolean => follows === repository.branch;
  const [known, perhaps] = [changed.filter(atOnce), absent.filter(atOnce)];
  if (most === undefined || known.length + perhaps.length <= most) return { faults: [] };
  const reached = [...known, ...(await movedClusters(perhaps, clusters, reader, writer))];
  if (reached.length <= most) return { faults: [] };
  const names = showSome(reached.map(({ name }) => name));
  const said = `is ${most}, and this update would reach ${reached.length} at once (${names})`;
  const path = ["limits", "clustersPerUpdate"];
  if (all === undefined) {
    const message = `${said}; change fewer, go by promotion, or set ARCFLUX_ALL to the reason why all`;
    return { faults: [{ severity: "error", path, message }] };
  }
  return {
    faults: [{ severity: "warning", path, message: `${said}; passed by: ${all}` }],
    passed: { most, reached: reached.length, reason: all },
  };
}

/** Clusters without files at their place that have some at another: a layout that changes makes nobody new. */
async function movedClusters(
  absent: readonly Cluster[],
  all: readonly Cluster[],
  reader: RepositoryReader,
  writer: Writer,
): Promise<Cluster[]> {
  if (absent.length === 0) return [];
  const places = new Set(all.map(({ fluxFolder }) => fluxFolder));
  const others = (await inventoriesBelow("", reader)).filter((folder) => !places.has(folder));
  const left = (await Promise.all(others.map((folder) => readInventory(folder, reader)))).filter(
    (inventory) => inventory !== undefined,
  );
  // A name is the last part of its owner; whether the owner is the same is asked of those alone.
  const byName = Map.groupBy(left, ({ owner }) => owner.slice(owner.lastIndexOf("/") + 1));
  return absent.filter((cluster) => {
    const known = [cluster.name, ...(cluster.formerly === undefined ? [] : [cluster.formerly])];
    const named = known.flatMap((name) => byName.get(name) ?? []);
    return (
      savedOf(cluster, writer) !== undefined || named.some((inventory) => isOf(cluster, inventory, writer))
    );
  });
}
