import type { Builder, SourceTree } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { fullPath } from "../../values/path.ts";
import { isOurs } from "../generatedFiles.ts";
import { clusterState } from "./clusterState.ts";
import { stateChanges, type StateChanges } from "./stateChanges.ts";
import { treeWith } from "./treeWith.ts";

/** What changes on a cluster, or on many that are alike. */
export interface ClusterChanges extends StateChanges {
  readonly clusters: readonly string[];
}

/** A repository with the fleet that is rendered into it; without one, it is taken as it is. */
export interface Side {
  readonly tree: SourceTree;
  readonly branch: string;
  readonly fleet?: Pick<Fleet, "clusters" | "repository">;
}

/**
 * What changes on the clusters of a fleet between two sides of its repository. A cluster that one side does not have
 * applies nothing there. Clusters on which the same changes are one entry.
 */
export async function changesBetween(
  clusters: readonly Cluster[],
  url: string,
  before: Side,
  after: Side,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ClusterChanges[]> {
  const [old, fresh] = await Promise.all([sideOf(before), sideOf(after)]);
  const changes = await Promise.all(
    clusters.map(async (cluster) => {
      const states = await Promise.all(
        [old, fresh].map(async ({ tree, branch, clusterOf }) => {
          const there = clusterOf(cluster);
          const isThere = there !== undefined && (await tree.list([there.fluxFolder])).size > 0;
          return isThere ? clusterState(there, { tree, branch, url }, builder) : { sets: [], unbuilt: [] };
        }),
      );
      return { cluster, ...stateChanges(states[0]!, states[1]!) };
    }),
  );
  return [...Map.groupBy(changes, alikeness).values()]
    .map(([first, ...others]) => ({
      clusters: [first!, ...others].map(({ cluster }) => cluster.name),
      objects: first!.objects,
      unbuilt: first!.unbuilt,
    }))
    .filter(({ objects, unbuilt }) => objects.length + unbuilt.length > 0);
}

/** Equal for clusters that change alike, each in a folder of its own. */
function alikeness({ cluster, objects, unbuilt }: StateChanges & { readonly cluster: Cluster }): string {
  const text = JSON.stringify([objects, unbuilt]);
  return cluster.folder === "" ? text : text.replaceAll(cluster.folder, "{cluster}");
}

interface Opened {
  readonly tree: SourceTree;
  readonly branch: string;
  readonly clusterOf: (cluster: Cluster) => Cluster | undefined;
}

async function sideOf({ tree, branch, fleet }: Side): Promise<Opened> {
  if (fleet === undefined) return { tree, branch, clusterOf: (cluster) => cluster };
  const clusterOf = ({ name }: Cluster) => fleet.clusters.find((each) => each.name === name);
  return { tree: await treeAfterUpdate(fleet, tree), branch, clusterOf };
}

/** A repository as an update of these clusters leaves it: with their files, and without generated ones that go. */
export async function treeAfterUpdate(
  fleet: Pick<Fleet, "clusters" | "repository">,
  tree: SourceTree,
): Promise<SourceTree> {
  const written = new Map(
    fleet.clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster, fleet)).map(
        ([path, text]) => [fullPath(cluster.folder, path), text] as const,
      ),
    ),
  );
  const removed = await goingFiles(fleet.clusters, tree, written);
  return treeWith(tree, written, removed);
}

/** Generated files of the flux folders that an update takes out. */
async function goingFiles(
  clusters: readonly Cluster[],
  tree: SourceTree,
  written: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const lists = await tree.list(clusters.map(({ fluxFolder }) => fluxFolder));
  const others = [...lists].flatMap(([folder, entries]) =>
    entries
      .filter(({ kind, name }) => kind === "file" && name.endsWith(".yaml"))
      .map(({ name }) => fullPath(folder, name))
      .filter((path) => !written.has(path)),
  );
  const contents = await tree.read(others);
  const decoder = new TextDecoder();
  return new Set(others.filter((path) => isOurs(decoder.decode(contents.get(path)))));
}
