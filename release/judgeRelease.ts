import { openBuilder } from "../build/index.ts";
import { clusterSubjects, EngineMissing, type BuiltOptions } from "../checks/built/index.ts";
import { renderedFiles, treeWith } from "../checks/applied/index.ts";
import type { Fault } from "../checks/fault.ts";
import { pinnedTrees } from "../checks/pinnedTrees.ts";
import { repositoryReaders } from "../checks/repositoryReader.ts";
import type { RepositoryTrees } from "../checks/repositoryTree.ts";
import type { Fleet } from "../fleet/model.ts";
import { judgeFleet, subjectKeys } from "../judge/index.ts";
import { variableChartVersions } from "./chartVersions.ts";
import { movedTo, type Taker } from "./takers.ts";

/** What is said of a release, and how much was built for it. */
export interface JudgedRelease {
  readonly faults: readonly Fault[];
  /** Different builds of the released sets. */
  readonly builds: number;
}

/**
 * Builds what every cluster of the fleet applies once all takers are at the release, and judges what the released sets
 * apply; and variables that nothing uses then. `trees.committed` is what is released. Rejects with EngineMissing where
 * there is nothing to build with: a release is not made unseen.
 */
export async function judgeRelease(
  fleet: Fleet,
  takers: readonly Taker[],
  trees: RepositoryTrees,
  { open = openBuilder, onProgress }: BuiltOptions,
): Promise<JudgedRelease> {
  const { branch } = fleet.repository;
  const moved = movedTo(fleet, takers, branch);
  const rendered = renderedFiles(moved);
  const written = new Map([...rendered.values()].flatMap((files) => [...files]));
  const after = (tree: NonNullable<RepositoryTrees["committed"]>) => treeWith(tree, written, new Set());
  const committed = trees.committed && after(trees.committed);
  const released = new Map(
    takers.map(({ cluster, sets }) => [cluster.name, new Set(sets.map(({ name }) => name))]),
  );
  const counts = ({ name }: { readonly name: string }, set: string): boolean =>
    released.get(name)?.has(set) === true;
  const builder = open({ ...(onProgress && { onProgress }) });
  if ("kind" in builder) throw new EngineMissing(builder.message);
  try {
    const followed = new Map([...trees.followed].map(([name, tree]) => [name, after(tree)]));
    const { clusters } = await clusterSubjects(
      moved,
      {
        committed,
        followed: committed === undefined ? followed : new Map([...followed, [branch, committed]]),
        pinned: pinnedTrees(trees),
        before: repositoryReaders(trees),
      },
      rendered,
      builder,
    );
    const keys = clusters.flatMap(({ cluster, subjects }) =>
      subjects.filter(({ set }) => counts(cluster, set.name)).map((each) => subjectKeys(each).key),
    );
    return {
      faults: [...judgeFleet(clusters, counts), ...variableChartVersions(clusters, counts)],
      builds: new Set(keys).size,
    };
  } finally {
    await builder.close();
  }
}
