import { type Applied, clusterAt, judgeDeletions } from "../../checks/deletions/index.ts";
import { repositoryReaders } from "../../checks/repositoryReader.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { Branches, ToldCommit, TreeChange } from "../../git/index.ts";
import { isInside } from "../../values/path.ts";
import { showNames } from "../../values/show.ts";
import { type Gate, passes, stops } from "../gate.ts";

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
  const moved = clusters.filter(({ folder }) => changes.some(({ path }) => isInside(path, folder)));
  if (moved.length === 0)
    return { gate: passes("deletions", "no set, app or window goes from a cluster"), goes: [] };
  const readers = repositoryReaders({
    committed: repository.reader(branch, to),
    followed: new Map([[branch, repository.reader(branch, from)]]),
  });
  const after = await Promise.all(
    moved.map((cluster) => clusterAt(cluster, readers.committed!, fleet.repository.url)),
  );
  const rendered = new Map(after.map(({ cluster, files }) => [cluster, files]));
  const verdict = await judgeDeletions(
    { ...fleet, clusters: after.map(({ cluster }) => cluster) },
    readers,
    rendered,
    // A cluster that is dropped is a matter of updates, which delete it from Azure.
    { applied, whose: { declared: [], owner: "-/-" } },
  );
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
