import {
  type Applied,
  clusterAt,
  judgeDeletions,
  nobodyAsked,
  type Verdict,
} from "../../checks/deletions/index.ts";
import { type RepositoryReader, repositoryReaders } from "../../checks/repositoryReader.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import { windowsFolder } from "../../fleet/window/index.ts";
import type { Branches, ToldCommit, TreeChange } from "../../git/index.ts";
import { fullPath, pathBelow } from "../../values/path.ts";
import { showNames } from "../../values/show.ts";
import { type Gate, passes, stops } from "../gate.ts";
import { isInventory } from "../generated.ts";
import { inFolders } from "../inFolders.ts";

/** From what the clusters of a stage have to what they would get. */
export interface Move {
  readonly branch: string;
  readonly from: ToldCommit;
  readonly to: ToldCommit;
  readonly changes: readonly TreeChange[];
}

/** What a move takes away from clusters, and what of that nobody has confirmed. */
export interface Deletions {
  readonly gate: Gate;
  /** All of it, confirmed or not, in words. */
  readonly goes: readonly string[];
}

/** Sets, apps and windows that a move takes away from clusters have to be confirmed by `removed`, or let go there before. */
export async function deletionsGate(
  fleet: Fleet,
  clusters: readonly Cluster[],
  { branch, from, to, changes }: Move,
  repository: Pick<Branches, "reader">,
  applied: Applied,
): Promise<Deletions> {
  // Nothing goes from a cluster of whose own folder nothing changes.
  const inFolder = inFolders(
    changes,
    clusters.map(({ folder }) => folder),
  );
  const moved = clusters.filter(({ folder }) => inFolder.has(folder));
  if (moved.length === 0)
    return { gate: passes("deletions", "no set, app or window goes from a cluster"), goes: [] };
  const readers = repositoryReaders({
    committed: repository.reader(branch, to),
    followed: new Map([[branch, repository.reader(branch, from)]]),
  });
  const judge = async (
    some: readonly Cluster[],
    removed: Fleet["removed"],
    asked: Applied,
  ): Promise<Verdict> => {
    const after = await Promise.all(
      some.map((cluster) => clusterAt(cluster, readers.committed!, fleet.repository.url)),
    );
    return judgeDeletions(
      { ...fleet, removed, clusters: after.map(({ cluster }) => cluster) },
      readers,
      new Map(after.map(({ cluster, files }) => [cluster, files])),
      // A cluster that is dropped is a matter of updates, which delete it from Azure.
      { applied: asked, whose: { declared: [], owner: "-/-" } },
    );
  };
  // Of 600 stores that change alike, one is looked at; who has let go of what is a question of each.
  const alike = await oneOfEach(moved, inFolder, readers.followed.get(branch)!);
  const first = await judge(alike, [], nobodyAsked);
  const isClean = first.faults.length + first.decided.length + first.kept.size === 0;
  const verdict = isClean ? first : await judge(moved, fleet.removed, applied);
  const open = verdict.faults.filter(({ severity }) => severity === "error").map(({ message }) => message);
  const early = [...verdict.kept].map(([cluster, files]) => {
    const names = Object.keys(files).map((path) => path.slice(path.lastIndexOf("/") + 1));
    return `${cluster}: ${showNames(names, 3)} is let go on the branch, and the cluster is not known to have applied that; wait until it has`;
  });
  const decided = verdict.kept.size > 0 ? [] : verdict.decided.map(({ message }) => message);
  const stopping = [...open, ...early];
  const goes = [...stopping, ...decided];
  if (stopping.length > 0) return { gate: stops("deletions", stopping.join("\n")), goes };
  return {
    gate: passes(
      "deletions",
      decided.length > 0 ? decided.join("\n") : "no set, app or window goes from a cluster",
    ),
    goes,
  };
}

/**
 * Of the clusters whose folders hold and change the same, one each: the same files by their blobs, inventories left out, since
 * these name their cluster.
 */
async function oneOfEach(
  clusters: readonly Cluster[],
  changes: ReadonlyMap<string, readonly TreeChange[]>,
  reader: RepositoryReader,
): Promise<Cluster[]> {
  const seen = await Promise.all(
    clusters.map(async (cluster) => {
      const { folder, fluxFolder, bootstrap, config } = cluster;
      const [flux = [], windows = []] = await Promise.all([
        reader.list(fluxFolder),
        reader.list(fullPath(folder, windowsFolder)),
      ]);
      const own = (changes.get(folder) ?? [])
        .filter(({ path }) => !isInventory(path))
        .map(({ path, from, to }) => [pathBelow(folder, path), from?.id, to?.id]);
      const held = [...flux, ...windows]
        .filter(({ name }) => !isInventory(name))
        .map(({ name, id }) => [name, id]);
      return { cluster, key: JSON.stringify([own, held, bootstrap.prune, config]) };
    }),
  );
  return [...Map.groupBy(seen, ({ key }) => key).values()].map(([first]) => first!.cluster);
}
