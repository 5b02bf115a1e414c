import { windowsFolder } from "../../fleet/window/index.ts";
import type { Cluster, PlainMap } from "../../fleet/model.ts";
import { GitError, type GitContext, type TreeReader, withTree } from "../../git/index.ts";
import { type History, type HistoryCommit, historyOf } from "../history.ts";
import type { Wanted } from "../model.ts";

/** How many commits deep the branches are read, to tell which of two commits is the newer. */
const depth = 500;

/** What Git wants of each cluster, and how its commits follow one another. */
export interface FromGit {
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly history: History;
  /** Why branches could not be read, each once. */
  readonly faults: readonly string[];
}

/**
 * Asks the repository what clusters should run: of each branch that one of them follows the tip, its history, and which
 * sets it holds. A branch that cannot be read is said, and its clusters are wanted nothing of.
 */
export async function askGit(
  clusters: readonly Cluster[],
  url: string,
  context: GitContext,
  use: typeof withTree = withTree,
): Promise<FromGit> {
  const wanted = new Map<string, Wanted>();
  const commits = new Map<string, HistoryCommit>();
  const faults: string[] = [];
  const branches = Map.groupBy(clusters, ({ follows }) => follows);
  // One after the other: a host sees one reader at a time, and branches are few.
  for (const [branch, following] of branches) {
    try {
      const found = await use({ url, branch }, context, (tree) => readBranch(tree, following));
      for (const { id, parents, time } of found.commits) commits.set(id, { parents, time });
      const time = commits.get(found.commit)?.time;
      for (const cluster of following) {
        const sets = found.sets.get(cluster.name) ?? [];
        wanted.set(cluster.name, {
          ...{ branch, pins: pinsOf(cluster), commit: found.commit, sets },
          ...(time !== undefined && { committedAt: new Date(time * 1000).toISOString() }),
        });
      }
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      faults.push(error.message);
      for (const cluster of following)
        wanted.set(cluster.name, { branch, pins: pinsOf(cluster), fault: error.message });
    }
  }
  return { wanted, history: historyOf(commits), faults };
}

async function readBranch(tree: TreeReader, clusters: readonly Cluster[]) {
  const folders = new Set(clusters.flatMap(foldersOf));
  const [listed, commits] = [await tree.list([...folders]), await tree.commits(depth)];
  const sets = new Map(
    clusters.map((cluster) => {
      const files = foldersOf(cluster).flatMap((folder) => listed.get(folder) ?? []);
      const names = files.flatMap(({ name, kind }) =>
        kind === "file" && name.endsWith(".yaml") ? name.slice(0, -".yaml".length) : [],
      );
      return [cluster.name, names] as const;
    }),
  );
  return { commit: tree.commit, commits, sets };
}

/** Where the Kustomizations of a cluster lie: those of its windows beside the flux folder. */
function foldersOf({ fluxFolder, folder, windows }: Cluster): string[] {
  const base = folder === "" ? "" : `${folder}/`;
  return [fluxFolder, ...windows.map(({ name }) => `${base}${windowsFolder}/${name}`)];
}

/** What the cluster's sources are pinned to; one that follows the tip of the repository is no pin. */
export function pinsOf({ sources, follows }: Cluster): Record<string, PlainMap> {
  return Object.fromEntries(
    sources.flatMap(({ name, spec, self }) => {
      const ref = spec["ref"] as PlainMap | undefined;
      return ref === undefined || (self && ref["branch"] === follows && ref["commit"] === undefined)
        ? []
        : [[name, ref]];
    }),
  );
}
