import type { Cluster } from "../../fleet/model.ts";
import { isInside } from "../../values/path.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { foldersElsewhere } from "./foldersElsewhere.ts";
import { type OtherRoot, readRoots } from "./readRoots.ts";

/**
 * The roots of others in the folders of clusters: where the fleet file has them, those above, and folders of a cluster's name
 * elsewhere, which an import leaves as they are; and those of clusters that nobody knows here, such as one for management,
 * where a Kustomization beside them covers a flux folder. `url`: of the fleet's repository.
 */
export async function findRoots(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
  url: string,
): Promise<readonly OtherRoot[]> {
  const { named, homes } = await foldersElsewhere(clusters, reader);
  const declared = new Map<string, Promise<readonly OtherRoot[]>>();
  const declaredIn = (path: string): Promise<readonly OtherRoot[]> => {
    const known = declared.get(path) ?? readRoots(path, reader, url);
    declared.set(path, known);
    return known;
  };
  const inFolders = await Promise.all(
    clusters.map(async (cluster) => {
      const own = [cluster.folder, ...(named.get(cluster) ?? [])];
      const [here, above] = await Promise.all(
        [own, foldersDownTo(cluster.folder).slice(0, -1)].map((all) => Promise.all(all.map(declaredIn))),
      );
      return { cluster, here: here!.flat(), above: above!.flat() };
    }),
  );
  const found = new Map<string, { root: OtherRoot; covers: Set<Cluster>; runsOn?: Cluster }>();
  const entryOf = (root: OtherRoot) => {
    const known = found.get(keyOf(root)) ?? { root, covers: new Set<Cluster>() };
    found.set(keyOf(root), known);
    return known;
  };
  for (const { cluster, here, above } of inFolders) {
    for (const root of [...here, ...above]) {
      // A root in the flux folder itself is a hand-written file of it, which other checks look at.
      if (isInside(root.file, cluster.fluxFolder) && cluster.fluxFolder !== cluster.folder) continue;
      const covers = isCovered(cluster.fluxFolder, root.folder);
      const isOwn = here.includes(root) && root.isHome;
      if (!covers && !isOwn) continue;
      const entry = entryOf(root);
      if (covers) entry.covers.add(cluster);
      if (isOwn) entry.runsOn = cluster;
    }
  }
  // All at once: each may cost a way to the server.
  const strange = await Promise.all([...homes].map(declaredIn));
  for (const [root, covers] of coveringFromElsewhere(strange, clusters))
    for (const cluster of covers) entryOf(root).covers.add(cluster);
  return [...found.values()]
    .map(({ root, covers, runsOn }): OtherRoot => ({ ...root, covers: [...covers], runsOn }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Roots of clusters that nobody knows here, by home, with the clusters whose flux folders they cover. */
function coveringFromElsewhere(
  homes: readonly (readonly OtherRoot[])[],
  clusters: readonly Cluster[],
): (readonly [OtherRoot, Iterable<Cluster>])[] {
  const folders = clusters.flatMap((cluster) =>
    foldersDownTo(cluster.fluxFolder).map((folder) => [folder, cluster] as const),
  );
  const below = Map.groupBy(folders, ([folder]) => folder);
  const coveredBy = ({ folder }: OtherRoot) => (below.get(folder) ?? []).map(([, cluster]) => cluster);
  return homes.flatMap((roots) => {
    const covered = new Set(roots.flatMap(coveredBy));
    // The sync of a home says which of those beside it run at all.
    return roots.map((root) => [root, root.isSync ? covered : coveredBy(root)] as const);
  });
}

function isCovered(path: string, whole: string): boolean {
  return path === whole || isInside(path, whole);
}

function keyOf({ file, namespace, name }: OtherRoot): string {
  return `${file} ${namespace}/${name}`;
}
