import { normalFolder } from "../../build/index.ts";
import { type Cluster, fluxNamespace, type PlainMap } from "../../fleet/model.ts";
import { asMap, asText } from "../../values/maps.ts";
import { folderOf, fullPath, isInside, nameOf } from "../../values/path.ts";
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
  /** Name of the source that it takes the folder from, which stands for this repository. */
  readonly source: string;
  /** Clusters whose flux folder lies in what it applies. */
  readonly covers: readonly Cluster[];
  /** The cluster that it runs on, where its place in the repository tells. */
  readonly runsOn: Cluster | undefined;
}

/** What `flux bootstrap` puts its own objects into, in the folder that it applies. */
const bootstrapFolder = "flux-system";
/** `clusters/prod/edge-1` has two folders above. */
const levels = 3;

/**
 * The roots of others in the folders of clusters: where the fleet file has them, those above, and folders of a cluster's name
 * elsewhere, which an import leaves as they are. One that is suspended in Git applies nothing.
 */
export async function findRoots(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<readonly OtherRoot[]> {
  const named = await foldersByName(clusters, reader);
  const declared = new Map<string, Promise<readonly OtherRoot[]>>();
  const declaredIn = (path: string): Promise<readonly OtherRoot[]> => {
    const known = declared.get(path) ?? readRoots(path, reader);
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
  const found = new Map<string, { root: OtherRoot; covers: Cluster[]; runsOn?: Cluster }>();
  for (const { cluster, here, above } of inFolders) {
    for (const root of [...here, ...above]) {
      // A root in the flux folder itself is a hand-written file of it, which other checks look at.
      if (isInside(root.file, cluster.fluxFolder) && cluster.fluxFolder !== cluster.folder) continue;
      const covers = isCovered(cluster.fluxFolder, root.folder);
      const isOwn = here.includes(root) && root.isHome;
      if (!covers && !isOwn) continue;
      const known = found.get(keyOf(root)) ?? { root, covers: [] };
      found.set(keyOf(root), known);
      if (covers) known.covers.push(cluster);
      if (isOwn) known.runsOn = cluster;
    }
  }
  return [...found.values()]
    .map(({ root, covers, runsOn }): OtherRoot => ({ ...root, covers, runsOn }))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Folders outside those of the fleet file that bear the name of a cluster, such as `clusters/edge-1` beside `fleet/edge-1`. */
async function foldersByName(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<ReadonlyMap<Cluster, readonly string[]>> {
  const byName = new Map(
    clusters.flatMap((cluster) =>
      [cluster.formerly, cluster.arc?.name, cluster.name].map((name) => [name, cluster]),
    ),
  );
  const own = new Set(clusters.map(({ folder }) => folder));
  const found = new Map<Cluster, string[]>();
  let level = [""];
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const lists = await Promise.all(level.map((folder) => reader.list(folder)));
    const next: string[] = [];
    for (const [index, entries = []] of lists.entries())
      for (const { name, kind } of entries) {
        const path = fullPath(level[index]!, name);
        if (kind !== "folder" || own.has(path)) continue;
        const cluster = byName.get(name);
        if (cluster === undefined) next.push(path);
        else found.set(cluster, [...(found.get(cluster) ?? []), path]);
      }
    level = next;
  }
  return found;
}

/** The roots that a folder declares, in itself or as `flux bootstrap` does. */
async function readRoots(path: string, reader: RepositoryReader): Promise<readonly OtherRoot[]> {
  const yamlIn = async (folder: string): Promise<string[]> =>
    ((await reader.list(folder)) ?? [])
      .filter(({ name, kind }) => kind === "file" && /\.ya?ml$/.test(name))
      .map(({ name }) => fullPath(folder, name));
  const files = (await Promise.all([path, fullPath(path, bootstrapFolder)].map(yamlIn))).flat();
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: (await reader.read(file)) ?? "" })),
  );
  return texts
    .filter(({ text }) => !isOurs(text))
    .flatMap(({ file, text }) => kubernetesObjects(text, file) ?? [])
    .map((object) => (isFluxKustomization(object) ? rootOf(object) : instanceRoot(object)))
    .filter((root) => root !== undefined && root.spec["suspend"] !== true)
    .map((root) => root!);
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
    spec: spec as PlainMap,
  };
}

/** What flux-operator makes of a FluxInstance. */
function instanceRoot({ group, kind, file, spec, namespace }: KubernetesObject): OtherRoot | undefined {
  const sync = asMap(spec["sync"]);
  if (group !== "fluxcd.controlplane.io" || kind !== "FluxInstance" || sync["kind"] !== "GitRepository")
    return undefined;
  const name = asText(sync["name"]) ?? (namespace === "" ? fluxNamespace : namespace);
  const path = asText(sync["path"]) ?? "./";
  return {
    ...{ name, file, covers: [], runsOn: undefined, source: name },
    label: `the FluxInstance in ${file}`,
    folder: normalFolder(path),
    isSync: true,
    isHome: true,
    spec: { path, prune: true, sourceRef: { kind: "GitRepository", name } },
  };
}

function isCovered(path: string, whole: string): boolean {
  return path === whole || isInside(path, whole);
}

function keyOf({ file, name }: OtherRoot): string {
  return `${file} ${name}`;
}
