import { normalFolder } from "../../build/index.ts";
import type { Cluster, PlainMap } from "../../fleet/model.ts";
import { fluxInstanceGroup, instanceSync } from "../../flux/fluxInstance.ts";
import { asMap, asText } from "../../values/maps.ts";
import { folderOf, fullPath, isInside, nameOf } from "../../values/path.ts";
import { isSameRepository } from "../../values/repositoryUrl.ts";
import { isOurs } from "../generatedFiles.ts";
import { isFluxKustomization, type KubernetesObject, kubernetesObjects } from "../kubernetesObject.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/** What others apply to a cluster from the repository: a Kustomization of theirs, or the sync of a FluxInstance. */
export interface OtherRoot {
  /** Of the Kustomization on the cluster. */
  readonly name: string;
  /** Of the Kustomization; `flux-system` where its manifest says none. */
  readonly namespace: string;
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
  /** Of the source; that of the Kustomization where its manifest says none. */
  readonly sourceNamespace: string;
  /** Clusters whose flux folder lies in the folder that it applies, or in that of a Kustomization beside it. */
  readonly covers: readonly Cluster[];
  /** The cluster that it runs on, where its place in the repository tells. */
  readonly runsOn: Cluster | undefined;
}

/** What `flux bootstrap` puts its own objects into, in the folder that it applies. */
export const bootstrapFolder = "flux-system";

/**
 * The roots that a folder declares, in itself or as `flux bootstrap` does; without those that take another repository than
 * that of `url`.
 */
export async function readRoots(
  path: string,
  reader: RepositoryReader,
  url: string,
): Promise<readonly OtherRoot[]> {
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
  const synced = new Set(roots.filter(({ isSync }) => isSync).map(sourceKey));
  const others = new Set(
    objects
      .filter(
        ({ kind, spec }) => kind === "GitRepository" && !isSameRepository(asText(spec["url"]) ?? "", url),
      )
      .map(({ name, namespace }) => sourceKey({ source: name, sourceNamespace: namespace })),
  );
  return roots.filter((root) => synced.has(sourceKey(root)) || !others.has(sourceKey(root)));
}

function sourceKey({ source, sourceNamespace }: Pick<OtherRoot, "source" | "sourceNamespace">): string {
  return `${sourceNamespace}/${source}`;
}

function rootOf({ name, namespace, file, spec }: KubernetesObject): OtherRoot | undefined {
  const { kind, name: source, namespace: stated } = asMap(spec["sourceRef"]);
  if (kind !== "GitRepository" || asText(source) === undefined) return undefined;
  const folder = normalFolder(asText(spec["path"]) ?? "");
  return {
    ...{ name, namespace, file, folder, covers: [], runsOn: undefined, source: asText(source)! },
    sourceNamespace: asText(stated) ?? namespace,
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
    ...{ namespace, sourceNamespace: namespace },
    ...{ name: sync.name, file, covers: [], runsOn: undefined, source: sync.name },
    label: `the FluxInstance in ${file}`,
    folder: normalFolder(asText(sync.spec["path"]) ?? ""),
    isSync: true,
    isHome: true,
    isSuspended: false,
    spec: sync.spec as PlainMap,
  };
}
