import { newestWithin, pinText } from "../checks/pinnedTrees.ts";
import type { Cluster, ClusterSet, Fleet, Source } from "../fleet/model.ts";
import { asMap, asText } from "../values/maps.ts";
import { isInside } from "../values/path.ts";
import { folder } from "../values/repositoryPath.ts";

/** A cluster that takes sets of a folder from sources of the fleet's own repository, each of which may be pinned. */
export interface Taker {
  readonly cluster: Cluster;
  readonly sets: readonly ClusterSet[];
  readonly sources: readonly Source[];
}

/** The clusters that take something below a folder from such a source; `path` is as git names it. */
export function takersOf({ clusters }: Pick<Fleet, "clusters">, path: string): Taker[] {
  return clusters.flatMap((cluster) => {
    const own = new Map(cluster.sources.filter(({ self }) => self).map((source) => [source.name, source]));
    const sets = cluster.sets.filter(
      ({ sourceRef: { kind, name }, spec }) =>
        kind === "GitRepository" && own.has(name) && isWithin(folder(spec.path), path),
    );
    const names = new Set(sets.map(({ sourceRef }) => sourceRef.name));
    const sources = [...own.values()].filter(({ name }) => names.has(name));
    return sets.length === 0 ? [] : [{ cluster, sets, sources }];
  });
}

/** Whether a path is the folder, or lies in it. */
function isWithin(path: string, within: string): boolean {
  return path === within || isInside(path, within);
}

/** The fleet as it is once all takers have their pins at what is to be released, which `branch` stands for. */
export function movedTo(fleet: Fleet, takers: readonly Taker[], branch: string): Fleet {
  const moves = new Map(takers.map(({ cluster, sources }) => [cluster, new Set(sources)]));
  return {
    ...fleet,
    clusters: fleet.clusters.map((cluster) => {
      const moved = moves.get(cluster);
      if (moved === undefined) return cluster;
      const sources = cluster.sources.map((source) =>
        moved.has(source) ? { ...source, spec: { ...source.spec, ref: { branch } } } : source,
      );
      return { ...cluster, sources };
    }),
  };
}

/** Clusters that have a source at one and the same revision. */
export interface PinnedClusters {
  readonly source: string;
  /** `tag v1.4.0`, or `branch main` for one that is not pinned. */
  readonly at: string;
  readonly clusters: readonly string[];
  /** Whether they take the new tag by themselves, as soon as it is there. */
  readonly atOnce: boolean;
}

/** Where the takers are now, and which of them a new tag would reach without a change of the fleet file. */
export function pinnedNow(
  takers: readonly Taker[],
  tag: string,
  tags: readonly string[],
): readonly PinnedClusters[] {
  const found = new Map<string, { source: string; at: string; clusters: string[]; atOnce: boolean }>();
  for (const { cluster, sources } of takers) {
    for (const { name: source, spec } of sources) {
      const ref = asMap(spec["ref"]);
      const at = Object.keys(ref).length === 0 ? `branch ${cluster.follows}` : pinText(ref);
      const key = `${source} ${at}`;
      const range = "commit" in ref || "name" in ref ? undefined : asText(ref["semver"]);
      const known = found.get(key) ?? {
        ...{ source, at, clusters: [] },
        atOnce: range !== undefined && newestWithin(range, [...tags, tag]) === tag,
      };
      found.set(key, known);
      known.clusters.push(cluster.name);
    }
  }
  return [...found.values()];
}
