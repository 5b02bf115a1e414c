import type { Builder, SourceTree } from "../build/index.ts";
import { treeWith, updateFiles } from "../checks/applied/index.ts";
import { clusterSubjects, type SetSource, type Trees } from "../checks/built/index.ts";
import type { PinnedTrees } from "../checks/pinnedTrees.ts";
import { repositoryReaders } from "../checks/repositoryReader.ts";
import type { RepositoryTree } from "../checks/repositoryTree.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Subject } from "../judge/index.ts";

/** A fleet and the branch that it is committed to, at one commit or as they lie on disk. */
export interface Version {
  readonly fleet: Fleet;
  /** The branch without what an update writes. */
  readonly tree: RepositoryTree;
}

/** One side of a change: the repository as an update of that version leaves it. */
export interface Side extends Version {
  /** Generated files by cluster, from the root. */
  readonly written: ReadonlyMap<Cluster, ReadonlyMap<string, string>>;
  readonly updated: SourceTree;
}

/** A cluster on both sides; it comes, goes, or both have it. */
export interface Pair {
  readonly name: string;
  readonly before: Cluster | undefined;
  readonly after: Cluster | undefined;
}

/** The subjects of a cluster by the name of the set. */
export type Subjects = ReadonlyMap<string, Subject>;

/** How a set's source is read on a side: what it follows, or what it is pinned to. */
export type TreesOf = (side: Side) => Trees;

export async function sideOf({ fleet, tree }: Version): Promise<Side> {
  const { written, removed } = await updateFiles(fleet, tree);
  const all = new Map([...written.values()].flatMap((files) => [...files]));
  return { fleet, tree, written, updated: treeWith(tree, all, removed) };
}

/** Each source at what it follows: `into` is this side's, every other branch and pin the same on both sides. */
export function asTheyFollow(
  into: string,
  others: ReadonlyMap<string, RepositoryTree>,
  pinned: PinnedTrees,
): TreesOf {
  return ({ tree, updated }) => {
    const raw = new Map([...others, [into, tree]]);
    return {
      committed: updated,
      followed: new Map<string, SourceTree>([...others, [into, updated]]),
      pinned,
      before: repositoryReaders({ committed: tree, followed: raw }),
    };
  };
}

/** Every source at `into`, as though nothing were pinned and everything promoted. */
export const asThoughFree: TreesOf = ({ fleet, tree, updated }) => {
  const branches = fleet.clusters.map(({ follows }) => follows);
  return {
    committed: updated,
    followed: new Map(branches.map((branch) => [branch, updated])),
    pinned: () => Promise.resolve(updated),
    before: repositoryReaders({
      committed: tree,
      followed: new Map(branches.map((branch) => [branch, tree])),
    }),
  };
};

/**
 * The tree that a source is read in. One that stands in a manifest may be the same repository: then the branch of the cluster
 * tells most.
 */
export async function treeOf(
  source: SetSource | undefined,
  { follows }: Pick<Cluster, "follows">,
  { followed, pinned }: Pick<Trees, "followed" | "pinned">,
): Promise<SourceTree | undefined> {
  if (source !== undefined && "ref" in source) return pinned(source.ref);
  return followed.get(source !== undefined && "branch" in source ? source.branch : follows);
}

/** What clusters apply on a side, by their names; `written` is what is generated for them. */
export async function subjectsOf(
  fleet: Fleet,
  trees: Trees,
  written: Side["written"],
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ReadonlyMap<string, Subjects>> {
  const built = await clusterSubjects(fleet, trees, written, builder);
  return new Map(
    built.clusters.map(({ cluster, subjects }) => [
      cluster.name,
      new Map(subjects.map((subject) => [subject.set.name, subject])),
    ]),
  );
}
