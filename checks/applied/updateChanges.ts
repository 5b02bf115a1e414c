import { isDeepStrictEqual } from "node:util";
import type { Builder, BuiltObject, SourceTree } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { asMap, asText } from "../../values/maps.ts";
import { fullPath } from "../../values/path.ts";
import { isOurs } from "../generatedFiles.ts";
import { repositoryReader } from "../repositoryReader.ts";
import { stateOf } from "./clusterState.ts";
import { type FoundSet, type FoundSets, foundSets, type StateSource } from "./foundSets.ts";
import { stateChanges, type StateChanges } from "./stateChanges.ts";
import { treeWith } from "./treeWith.ts";

/** What changes on a cluster, or on many that are alike. */
export interface ClusterChanges extends StateChanges {
  readonly clusters: readonly string[];
}

/** A repository as its clusters see it. */
export interface Side {
  readonly tree: SourceTree;
  readonly branch: string;
  /** Clusters as this side has them, where that is not what is asked about. One that is not there applies nothing. */
  readonly clusters?: readonly Cluster[];
}

/** A repository with nothing in it, such as a branch that is not there yet. */
export const noFiles: SourceTree = {
  list: () => Promise.resolve(new Map()),
  read: () => Promise.resolve(new Map()),
};

/**
 * What changes on clusters between two sides of their repository. Clusters on which the same changes are one entry. What
 * is built alike on both sides is looked at no further, so the cost is that of the change.
 */
export async function changesBetween(
  clusters: readonly Cluster[],
  repository: Pick<StateSource, "url" | "pinned">,
  before: Side,
  after: Side,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<ClusterChanges[]> {
  const shared = { parsed: new Map(), fills: new Map() };
  const setsOf = [before, after].map(({ tree, branch, clusters: own = clusters }) => {
    const source = { ...repository, tree, branch, ...shared, reader: repositoryReader(tree) };
    const byName = new Map(own.map((cluster) => [cluster.name, cluster]));
    return async ({ name }: Cluster): Promise<FoundSets> => {
      const there = byName.get(name);
      const isThere = there !== undefined && (await source.reader.list(there.fluxFolder)) !== undefined;
      return isThere ? foundSets(there, source, builder) : { sets: [], unbuilt: [] };
    };
  });
  const changes = await Promise.all(
    clusters.map(async (cluster) => {
      const [old, fresh] = await Promise.all(setsOf.map((find) => find(cluster)));
      const states = await Promise.all([different(old!, fresh!), different(fresh!, old!)].map(stateOf));
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

/** Without the sets that the other side builds alike. */
function different({ sets, unbuilt }: FoundSets, other: FoundSets): FoundSets {
  const others = new Map(other.sets.map((set) => [set.name, set]));
  // What else a spec says changes no object but the Kustomization itself, which the bootstrap applies.
  const whatCounts = ({ spec, how }: FoundSet) => [spec["commonMetadata"], how];
  const isSame = (set: FoundSet): boolean => {
    const same = others.get(set.name);
    return set.built.key === same?.built.key && isDeepStrictEqual(whatCounts(set), whatCounts(same));
  };
  // Of what comes or goes as a whole the names are enough.
  const isWhole = ({ name, built }: FoundSet): boolean =>
    !others.has(name) && !built.objects.some(hasOpenName);
  return {
    sets: sets
      .filter((set) => !isSame(set))
      .map((set) => (isWhole(set) ? { ...set, filled: () => Promise.resolve(set.built) } : set)),
    unbuilt,
  };
}

/** Whether variables stand in what an object is called. */
function hasOpenName({ object }: BuiltObject): boolean {
  const { name, namespace } = asMap(object["metadata"]);
  return [object["apiVersion"], object["kind"], name, namespace].some(
    (text) => asText(text)?.includes("$") === true,
  );
}

/** Equal for clusters that change alike, each in a folder and by a name of its own. */
function alikeness({ cluster, objects, unbuilt }: StateChanges & { readonly cluster: Cluster }): string {
  const text = JSON.stringify([objects, unbuilt]);
  const named = text.replaceAll(JSON.stringify(cluster.name), "{name}");
  return cluster.folder === "" ? named : named.replaceAll(cluster.folder, "{cluster}");
}

/** A repository as an update of these clusters leaves it: with their files, and without generated ones that go. */
export async function treeAfterUpdate(
  fleet: Pick<Fleet, "clusters" | "repository">,
  tree: SourceTree,
): Promise<SourceTree> {
  const { written, removed } = await updateFiles(fleet, tree);
  return treeWith(tree, new Map([...written.values()].flatMap((files) => [...files])), removed);
}

/** What an update of these clusters writes, by cluster, and what it takes out of their flux folders; from the root. */
export async function updateFiles(
  fleet: Pick<Fleet, "clusters" | "repository">,
  tree: SourceTree,
): Promise<{
  readonly written: ReadonlyMap<Cluster, ReadonlyMap<string, string>>;
  readonly removed: ReadonlySet<string>;
}> {
  const written = renderedFiles(fleet);
  const all = new Set([...written.values()].flatMap((files) => [...files.keys()]));
  return { written, removed: await goingFiles(fleet.clusters, tree, all) };
}

/** What is generated for these clusters, by cluster; from the root. */
export function renderedFiles(
  fleet: Pick<Fleet, "clusters" | "repository">,
): ReadonlyMap<Cluster, ReadonlyMap<string, string>> {
  return new Map(
    fleet.clusters.map((cluster) => {
      const files = Object.entries(renderClusterFolder(cluster, fleet));
      return [cluster, new Map(files.map(([path, text]) => [fullPath(cluster.folder, path), text]))] as const;
    }),
  );
}

/** Generated files of the flux folders that an update takes out. */
async function goingFiles(
  clusters: readonly Cluster[],
  tree: SourceTree,
  written: ReadonlySet<string>,
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
