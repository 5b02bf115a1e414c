import { type Builder, type BuilderOptions, type NoEngine, openBuilder } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import { type ClusterSubject, judgeFleet, leaving, type Leaving } from "../../judge/index.ts";
import type { Fault } from "../fault.ts";
import { treeWith } from "../applied/treeWith.ts";
import type { GoingSet } from "../deletions/index.ts";
import { type PinnedTrees, pinnedTrees } from "../pinnedTrees.ts";
import type { RepositoryReaders } from "../repositoryReader.ts";
import type { RepositoryTrees } from "../repositoryTree.ts";
import { type BuiltFleet, clusterSubjects } from "./clusterSubjects.ts";
import { goingBuild } from "./goingBuild.ts";

/** What building needs from the world. */
export interface BuiltOptions {
  /** Defaults to the engine that set-up brought. */
  readonly open?: (options: BuilderOptions) => Builder | NoEngine;
  /** Called as builds end. */
  readonly onProgress?: BuilderOptions["onProgress"];
}

/** What the judgements say, and what they did not look at. */
export interface Judged {
  readonly faults: readonly Fault[];
  /** Sets whose manifests lie elsewhere, with where. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Why nothing could be built: there is no engine. */
  readonly noEngine: string | undefined;
}

/** A fleet as it is after an update, with what every cluster applies. Built when it is first asked for. */
export interface Built {
  readonly judge: () => Promise<Judged>;
  /** What every cluster applies. Rejects with EngineMissing. */
  readonly subjects: () => Promise<readonly ClusterSubject[]>;
  /** What goes with sets that are removed, by name; nothing is said of what cannot be built. */
  readonly leaving: (cluster: Cluster, going: readonly GoingSet[]) => Promise<ReadonlyMap<string, Leaving>>;
  /** The builder of all this, for those who want to see more. Rejects with EngineMissing where there is none. */
  readonly builder: Pick<Builder, "build" | "substitute">;
  readonly pinned: PinnedTrees;
  readonly close: () => Promise<void>;
}

const nothing: ReadonlySet<string> = new Set();

/**
 * `readers` are of the trees; `rendered` is what the update writes, by cluster, from the root. What it takes out is still in
 * the trees: the removal guard speaks of that. Close it, or the process stays alive.
 */
export function openBuilt(
  fleet: Fleet,
  repository: RepositoryTrees,
  readers: RepositoryReaders,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  { open = openBuilder, onProgress }: BuiltOptions = {},
): Built {
  const { committed, followed } = repository;
  const written = new Map([...rendered.values()].flatMap((files) => [...files]));
  const after = new Map(
    [...new Set([committed, ...followed.values()])].map((tree) => [
      tree,
      tree && treeWith(tree, written, nothing),
    ]),
  );
  const pinned = pinnedTrees(repository);
  const trees = {
    pinned,
    committed: after.get(committed),
    followed: new Map([...followed].map(([branch, tree]) => [branch, after.get(tree)!])),
  };
  const engine = lazily(() => open({ ...(onProgress && { onProgress }) }));
  let all: Promise<BuiltFleet> | undefined;
  const built = () => (all ??= clusterSubjects(fleet, { ...trees, before: readers }, rendered, engine));

  return {
    async judge() {
      try {
        const { clusters, elsewhere } = await built();
        return { faults: judgeFleet(clusters), elsewhere, noEngine: undefined };
      } catch (error) {
        if (!(error instanceof EngineMissing)) throw error;
        return { faults: [], elsewhere: new Map(), noEngine: error.message };
      }
    },
    subjects: async () => (await built()).clusters,
    async leaving(cluster, going) {
      const reader = readers.followed.get(cluster.follows);
      if (reader === undefined || going.length === 0) return new Map();
      try {
        const { clusters } = await built();
        const staying = clusters.find((each) => each.cluster === cluster)?.subjects ?? [];
        const found = await Promise.all(
          going.map((set) => goingBuild(fleet, cluster, set, { reader, followed, pinned }, engine)),
        );
        return new Map(
          found.flatMap((each) => (each === undefined ? [] : [[each.name, leaving(each, staying)] as const])),
        );
      } catch (error) {
        if (!(error instanceof EngineMissing)) throw error;
        return new Map();
      }
    },
    builder: engine,
    pinned,
    close: () => engine.close(),
  };
}

/** Nothing is started where there is nothing to build. */
function lazily(open: () => Builder | NoEngine): Builder {
  let builder: Builder | undefined;
  const opened = (): Builder => {
    const found = builder ?? open();
    if ("kind" in found) throw new EngineMissing(found.message);
    return (builder = found);
  };
  return {
    build: async (requests) => opened().build(requests),
    substitute: async (built, how) => opened().substitute(built, how),
    close: async () => builder?.close(),
  };
}

/** There is nothing to build with; the message says which command brings it. */
export class EngineMissing extends Error {
  override readonly name = "EngineMissing";
}
