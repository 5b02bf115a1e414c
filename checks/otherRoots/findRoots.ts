import { normalFolder } from "../../build/index.ts";
import type { Cluster, PlainMap } from "../../fleet/model.ts";
import { fluxInstanceGroup, instanceSync } from "../../flux/fluxInstance.ts";
import { asMap, asText } from "../../values/maps.ts";
import { folderOf, fullPath, isInside, nameOf } from "../../values/path.ts";
import { isSameRepository } from "../../values/repositoryUrl.ts";
import { isOurs } from "../generatedFiles.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import { isFluxKustomization, type KubernetesObject, kubernetesObjects } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/** What others apply to a cluster from the repository: a Kustomization of theirs, or the sync of a FluxInstance. */
export interface OtherRoot {
  /** Of the Kustomization on the cluster. */
  readonly name: string;
  /** How messages name it: `Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml`. */
  readonly label: string;
  readonly file: string;
  /** Whether it was put to the cluster by its tool, whatever lists its file: that of `flux bootstrap`, and a FluxInstance. */
  readonly isSync: boolean;
  /** Whether it runs where its file lies: it applies that very file, as `flux bootstrap` leaves it, or is a FluxInstance. */
  readonly isHome: boolean;
  /** Folder that it applies, from the root of the repository. */
  readonly folder: string;
  readonly spec: PlainMap;
  /** Whether Git suspends it: then it applies and deletes nothing itself, and what it has brought runs on. */
  readonly isSuspended: boolean;
  /** Name of the source that it takes the folder from, which stands for this repository. */
  readonly source: string;
  /** Clusters whose flux folder lies in what it applies, or in the path of what it lies beside. */
  readonly covers: readonly Cluster[];
  /** The cluster that it runs on, where its place in the repository tells. */
  readonly runsOn: Cluster | undefined;
}

/** What `flux bootstrap` puts its own objects into, in the folder that it applies. */
const bootstrapFolder = "flux-system";
const syncFile = "gotk-sync.yaml";
/** `clusters/prod/edge-1` has two folders above. */
const levels = 3;

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
  const below = Map.groupBy(
    clusters.flatMap((cluster) => foldersDownTo(cluster.fluxFolder).map((folder) => ({ folder, cluster }))),
    ({ folder }) => folder,
  );
  for (const home of homes) {
    const roots = await declaredIn(home);
    const covered = new Set(
      roots.flatMap(({ folder }) => (below.get(folder) ?? []).map(({ cluster }) => cluster)),
    );
    // Its sync says which of those beside it run at all.
    for (const root of covered.size === 0 ? [] : roots) {
      const own = (below.get(root.folder) ?? []).map(({ cluster }) => cluster);
      if (!root.isSync && own.length === 0) continue;
      const entry = entryOf(root);
      for (const cluster of root.isSync ? covered : own) entry.covers.add(cluster);
    }
  }
  return [...found.values()]
    .map(({ root, covers, runsOn }): OtherRoot => ({ ...root, covers: [...covers], runsOn }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/**
 * Folders outside those of the fleet file: `named` bear the name of a cluster, such as `clusters/edge-1` beside
 * `fleet/edge-1`; `homes` are those in which `flux bootstrap` has been for somebody else.
 */
async function foldersElsewhere(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<{
  readonly named: ReadonlyMap<Cluster, readonly string[]>;
  readonly homes: ReadonlySet<string>;
}> {
  const byName = new Map(
    clusters.flatMap((cluster) =>
      [cluster.formerly, cluster.arc?.name, cluster.name].map((name) => [name, cluster]),
    ),
  );
  const own = new Set(clusters.map(({ folder }) => folder));
  const named = new Map<Cluster, string[]>();
  const homes = new Set<string>();
  let level = [""];
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const lists = await Promise.all(level.map((folder) => reader.list(folder)));
    const next: string[] = [];
    for (const [index, entries = []] of lists.entries())
      for (const { name, kind } of entries) {
        const folder = level[index]!;
        const path = fullPath(folder, name);
        if (kind === "file" && name === syncFile) homes.add(folderOf(folder));
        if (kind !== "folder" || own.has(path)) continue;
        if (name === bootstrapFolder) homes.add(folder);
        const cluster = byName.get(name);
        if (cluster === undefined) next.push(path);
        else named.set(cluster, [...(named.get(cluster) ?? []), path]);
      }
    level = next;
  }
  return { named, homes };
}

/** The roots that a folder declares, in itself or as `flux bootstrap` does. */
async function readRoots(path: string, reader: RepositoryReader, url: string): Promise<readonly OtherRoot[]> {
  const yamlIn = async (folder: string): Promise<string[]> =>
    ((await reader.list(folder)) ?? [])
      // The controllers themselves take long to read, and say nothing of roots.
      .filter(({ name, kind }) => kind === "file" && /\.ya?ml$/.test(name) && name !== "gotk-components.yaml")
      .map(({ name }) => fullPath(folder, name));
  const files = (await Promise.all([path, fullPath(path, bootstrapFolder)].map(yamlIn))).flat();
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: (await reader.read(file)) ?? "" })),
  );
  const objects = texts
    .filter(({ text }) => !isOurs(text))
    .flatMap(({ file, text }) => kubernetesObjects(text, file) ?? []);
  const roots = objects
    .map((object) => (isFluxKustomization(object) ? rootOf(object) : instanceRoot(object)))
    .filter((root) => root !== undefined);
  // What was bootstrapped from here has this repository, by whatever URL; what else names another one takes that.
  const synced = new Set(roots.filter(({ isSync }) => isSync).map(({ source }) => source));
  const others = new Set(
    objects
      .filter(
        ({ kind, spec }) => kind === "GitRepository" && !isSameRepository(asText(spec["url"]) ?? "", url),
      )
      .map(({ name }) => name),
  );
  return roots.filter(({ source }) => synced.has(source) || !others.has(source));
}

function rootOf({ name, file, spec }: KubernetesObject): OtherRoot | undefined {
  const { kind, name: source } = asMap(spec["sourceRef"]);
  if (kind !== "GitRepository" || asText(source) === undefined) return undefined;
  const folder = normalFolder(asText(spec["path"]) ?? "");
  return {
    ...{ name, file, folder, covers: [], runsOn: undefined, source: asText(source)! },
    label: `Kustomization ${name} in ${file}`,
    isSync: nameOf(folderOf(file)) === bootstrapFolder,
    isHome: isInside(file, folder),
    isSuspended: spec["suspend"] === true,
    spec: spec as PlainMap,
  };
}

/** What flux-operator makes of a FluxInstance. */
function instanceRoot({ group, kind, file, spec, namespace }: KubernetesObject): OtherRoot | undefined {
  if (group !== fluxInstanceGroup || kind !== "FluxInstance") return undefined;
  const sync = instanceSync(spec, namespace);
  if (sync?.kind !== "GitRepository") return undefined;
  return {
    ...{ name: sync.name, file, covers: [], runsOn: undefined, source: sync.name },
    label: `the FluxInstance in ${file}`,
    folder: normalFolder(asText(sync.spec["path"]) ?? ""),
    isSync: true,
    isHome: true,
    isSuspended: false,
    spec: sync.spec as PlainMap,
  };
}

function isCovered(path: string, whole: string): boolean {
  return path === whole || isInside(path, whole);
}

function keyOf({ file, name }: OtherRoot): string {
  return `${file} ${name}`;
}
