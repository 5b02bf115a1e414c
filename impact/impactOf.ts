import { isDeepStrictEqual } from "node:util";
import type { Builder, SourceTree } from "../build/index.ts";
import { declaredSources, sourceOf } from "../checks/built/index.ts";
import { type PinnedTrees, pinText } from "../checks/pinnedTrees.ts";
import { repositoryReader, type RepositoryReader } from "../checks/repositoryReader.ts";
import type { RepositoryTree } from "../checks/repositoryTree.ts";
import type { Cluster, ClusterSet, Fleet } from "../fleet/model.ts";
import { alike } from "./alike.ts";
import { waysAtOnce } from "./clusterWays.ts";
import { chartFiles } from "./chartWays.ts";
import { comparing, viewsOf } from "./charts.ts";
import { lostGuards } from "./lostGuards.ts";
import type { HeldBy, Impact, ReachedStage, Way } from "./model.ts";
import {
  asTheyFollow,
  asThoughFree,
  type Pair,
  type Side,
  sideOf,
  subjectsOf,
  treeOf,
  type TreesOf,
  type Version,
} from "./sides.ts";
import { bootstrap, type ClusterSide, type FilesChanged, waysBetween } from "./ways.ts";

/** The repository around the change. */
export interface ImpactWorld {
  /** Branch that the change goes to. */
  readonly into: string;
  /** Every other branch that clusters follow, which stay as they are. */
  readonly others: ReadonlyMap<string, RepositoryTree>;
  readonly pinned: PinnedTrees;
  readonly builder: Pick<Builder, "build" | "substitute">;
}

/**
 * What a change reaches at once: the clusters whose objects differ once the branch that they follow has it and an update
 * has run, and by which ways. A cluster that follows another branch gets files by promotion, and a pinned set with another
 * pin: those are held. What the fleet file says of the sets of such a cluster counts as it was before the change; what an
 * update does in Azure and on the cluster itself counts at once.
 */
export async function impactOf(before: Version, after: Version, world: ImpactWorld): Promise<Impact> {
  const [old, fresh] = await Promise.all([sideOf(before), sideOf(after)]);
  const isSame =
    before.tree === after.tree && isDeepStrictEqual(before.fleet.repository, after.fleet.repository);
  const all = pairsOf(before, after);
  const pairs = all.filter((pair) => !isSame || differs(pair, old, fresh));
  const waits = ({ before: was, after: is }: Pair): boolean =>
    was !== undefined && is !== undefined && was.follows === is.follows && is.follows !== world.into;
  // Until a promotion, a cluster that follows another branch has what the fleet file said before.
  const now = pairs.map((pair) => (waits(pair) ? { ...pair, after: pair.before } : pair));
  const seen = await differences(
    now,
    old,
    fresh,
    asTheyFollow(world.into, world.others, world.pinned),
    world,
  );
  // An update runs on what is on the branch that it commits to; what comes to others has been there.
  const isUpdate = [before, after].some(({ fleet }) => fleet.repository.branch === world.into);
  const reached = new Map(
    pairs.map((pair) => {
      const found = seen.get(pair.name) ?? nothing;
      if (!waits(pair)) return [pair.name, found.ways];
      const taken = new Map([...found.charts, ...pinnedTo(world.into, pair, found.ways)]);
      return [pair.name, isUpdate ? new Map([...taken, ...atOnce(pair, before, after)]) : taken];
    }),
  );
  const held = pairs.filter((pair) => waits(pair) || hasPins(pair, world.into));
  const free = await differences(held, old, fresh, asThoughFree, world);
  const heldSets = held.flatMap((pair) => {
    const ways = (free.get(pair.name) ?? nothing).ways;
    return [...ways.keys()].flatMap((set) => {
      if (reached.get(pair.name)?.has(set)) return [];
      const by = heldBy(set, pair, world.into, after.fleet);
      return by === undefined ? [] : [{ pair, set, by }];
    });
  });
  const names = pairs.filter(({ name }) => (reached.get(name)?.size ?? 0) > 0);
  return {
    into: world.into,
    reached: alike(
      names.flatMap((pair) =>
        [...reached.get(pair.name)!].map(([set, ways]) => ({ ...folderOf(pair), set, more: ways })),
      ),
    ).map(({ set, clusters, more }) => ({ set, clusters, ways: more })),
    held: alike(heldSets.map(({ pair, set, by }) => ({ ...folderOf(pair), set, more: by }))).map(
      ({ set, clusters, more }) => ({ set, clusters, by: more }),
    ),
    stages: stagesOf(names, before, after),
    lostGuards: lostGuards(before.fleet, after.fleet, all),
    clusters: names.map(({ name }) => name),
  };
}

/** Clusters of both sides, in the order of the new fleet file; one that was renamed is the same. */
function pairsOf(before: Version, after: Version): Pair[] {
  const old = new Map(before.fleet.clusters.map((cluster) => [cluster.name, cluster]));
  const pairs = after.fleet.clusters.map((cluster) => {
    const was = old.get(cluster.name) ?? old.get(cluster.formerly ?? "");
    if (was !== undefined) old.delete(was.name);
    return { name: cluster.name, before: was, after: cluster };
  });
  return [
    ...pairs,
    ...[...old.values()].map((cluster) => ({ name: cluster.name, before: cluster, after: undefined })),
  ];
}

/** Whether a fleet file says anything else of a cluster; the repository is the same. */
function differs({ before, after }: Pair, old: Side, fresh: Side): boolean {
  if (before === undefined || after === undefined) return true;
  return !isDeepStrictEqual(
    [{ ...before, formerly: undefined }, old.written.get(before)],
    [{ ...after, formerly: undefined }, fresh.written.get(after)],
  );
}

/** Whether a set of the cluster is read at something that the change does not move. */
function hasPins({ before, after }: Pair, into: string): boolean {
  return [before, after].some((cluster) =>
    cluster?.sets.some((set) => pinOf(set, cluster, into) !== undefined),
  );
}

/** What keeps a set of the fleet's own repository from a branch. */
function pinOf(set: ClusterSet, cluster: Cluster, into: string): HeldBy | undefined {
  const source = sourceOf(set, cluster, declaredSources(cluster), { has: (branch) => branch === into });
  if (!("ref" in source)) return undefined;
  return set.sourceRef.name === cluster.config
    ? { branch: cluster.follows }
    : { source: set.sourceRef.name, pin: pinText(source.ref) };
}

/** Of a cluster that follows another branch, the sets whose source follows this one. */
function pinnedTo(into: string, { before }: Pair, seen: WaysBySet): WaysBySet {
  const isTaken = (name: string): boolean => {
    const set = before?.sets.find((each) => each.name === name);
    if (before === undefined || set === undefined) return false;
    const source = sourceOf(set, before, declaredSources(before), { has: (branch) => branch === into });
    return "branch" in source && source.branch === into;
  };
  return new Map([...seen].filter(([set]) => isTaken(set)));
}

/** What an update changes of a cluster, whichever branch it follows. */
function atOnce(pair: Pair, before: Version, after: Version): [string, readonly Way[]][] {
  if (pair.before === undefined || pair.after === undefined) return [];
  const ways = waysAtOnce(
    { cluster: pair.before, repository: before.fleet.repository },
    { cluster: pair.after, repository: after.fleet.repository },
  );
  return ways.length === 0 ? [] : [[bootstrap, ways]];
}

function heldBy(name: string, { before, after }: Pair, into: string, fleet: Fleet): HeldBy | undefined {
  const cluster = after ?? before;
  const set = cluster?.sets.find((each) => each.name === name);
  if (cluster === undefined) return undefined;
  if (cluster.follows === into) return set && pinOf(set, cluster, into);
  return comesAfter(cluster.stage, into, fleet) ? { branch: cluster.follows } : undefined;
}

/** Whether promotions bring a branch to a stage; one that comes before it has the change already. */
function comesAfter(stage: string | undefined, branch: string, { stages, repository }: Fleet): boolean {
  const seen = new Set<string>();
  for (let name = stage; name !== undefined && !seen.has(name);) {
    seen.add(name);
    const found = stages.find((each) => each.name === name);
    if (found?.after === undefined) return branch === repository.branch;
    if (stages.some((each) => each.name === found.after && each.branch === branch)) return true;
    name = found.after;
  }
  return false;
}

type WaysBySet = ReadonlyMap<string, readonly Way[]>;

/** How a cluster differs between two sides; `charts` is the part that helm takes by itself, whatever the set follows. */
interface Difference {
  readonly ways: WaysBySet;
  readonly charts: WaysBySet;
}

const nothing: Difference = { ways: new Map(), charts: new Map() };

/** By cluster, how two sides differ. */
async function differences(
  pairs: readonly Pair[],
  old: Side,
  fresh: Side,
  treesOf: TreesOf,
  { builder }: ImpactWorld,
): Promise<ReadonlyMap<string, Difference>> {
  const sides = await Promise.all(
    (
      [
        ["before", old],
        ["after", fresh],
      ] as const
    ).map(async ([which, side]) => {
      const clusters = pairs.flatMap((pair) => pair[which] ?? []);
      const trees = treesOf(side);
      const written = new Map([...old.written, ...fresh.written]);
      const subjects = await subjectsOf({ ...side.fleet, clusters }, trees, written, builder);
      const readers = new Map<SourceTree, RepositoryReader>();
      const clusterSide = (cluster: Cluster | undefined): ClusterSide | undefined =>
        cluster && {
          cluster,
          repository: side.fleet.repository,
          written: written.get(cluster) ?? new Map<string, string>(),
          subjects: subjects.get(cluster.name) ?? new Map(),
        };
      /** What the files of a set are there. */
      const read = async (cluster: Cluster, set: ClusterSet | undefined, files: readonly string[]) => {
        const source = set && sourceOf(set, cluster, declaredSources(cluster), trees.followed);
        const tree = await treeOf(source, cluster, trees);
        if (tree === undefined) return files.map(() => undefined);
        const reader = readers.get(tree) ?? repositoryReader(tree);
        readers.set(tree, reader);
        return Promise.all(files.map((path) => reader.read(path)));
      };
      return { clusterSide, read, viewOf: viewsOf(trees) };
    }),
  );
  const [one, other] = sides;
  const known = new Map<string, Promise<readonly string[]>>();
  const compared = comparing();
  const found = await Promise.all(
    pairs.map(async ({ name, before, after }) => {
      const filesChanged: FilesChanged = async (set, files) => {
        if (before === undefined || after === undefined) return files;
        const setOf = ({ sets }: Cluster) => sets.find((each) => each.name === set);
        const [was, is] = [setOf(before), setOf(after)];
        const changed = async (): Promise<readonly string[]> => {
          const [texts, others] = await Promise.all([
            one!.read(before, was, files),
            other!.read(after, is, files),
          ]);
          return files.filter((_, index) => texts[index] !== others[index]);
        };
        const source = ({ sourceRef }: ClusterSet, { sources, follows }: Cluster) => [
          follows,
          sources.find((each) => each.name === sourceRef.name)?.spec,
        ];
        const key = JSON.stringify([was && source(was, before), is && source(is, after), files]);
        const asked = known.get(key) ?? changed();
        known.set(key, asked);
        return asked;
      };
      const [was, is] = [one!.clusterSide(before), other!.clusterSide(after)];
      const ways = await waysBetween(was, is, filesChanged);
      if (was === undefined || is === undefined) return [name, { ...nothing, ways }] as const;
      const files = await chartFiles(
        { ...was, viewOf: one!.viewOf },
        { ...is, viewOf: other!.viewOf },
        compared,
        bootstrap,
      );
      const charts = new Map(
        [...files].map(([set, paths]) => [set, [{ way: "path", files: paths } as const]]),
      );
      return [name, { ways: bothWays(ways, charts), charts }] as const;
    }),
  );
  return new Map(found);
}

/** A set has one way of paths. */
function bothWays(one: WaysBySet, other: WaysBySet): WaysBySet {
  const all = new Map(one);
  for (const [set, more] of other) {
    const ways = [...(one.get(set) ?? []), ...more];
    const paths = ways.flatMap((each) => (each.way === "path" ? each.files : []));
    const others = ways.filter(({ way }) => way !== "path");
    all.set(set, [...others, { way: "path", files: [...new Set(paths)].sort() }]);
  }
  return all;
}

function folderOf({ name, before, after }: Pair): { readonly cluster: string; readonly folder: string } {
  return { cluster: name, folder: (after ?? before)?.folder ?? "" };
}

/** Stages of reached clusters. One that is production on either side is: no change takes its own guard away. */
function stagesOf(reached: readonly Pair[], before: Version, after: Version): ReachedStage[] {
  const all = [...before.fleet.stages, ...after.fleet.stages];
  const guarded = new Set(all.flatMap(({ name, production }) => (production ? [name] : [])));
  const known = new Map(
    [...before.fleet.clusters, ...after.fleet.clusters].map((cluster) => [cluster.name, cluster]),
  );
  return [...new Set(all.map(({ name }) => name))].flatMap((name) => {
    // A cluster that changes its stage is of both.
    const clusters = reached.filter(
      (pair) => pair.before?.stage === name || pair.after?.stage === name,
    ).length;
    const of = [...known.values()].filter(({ stage }) => stage === name).length;
    return clusters === 0
      ? []
      : [{ name, production: guarded.has(name), clusters, of: Math.max(of, clusters) }];
  });
}
