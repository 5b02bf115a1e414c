import type { Cluster } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { folder as normal } from "../values/repositoryPath.ts";
import { documents } from "./documents.ts";
import { kubernetesObjects, type KubernetesObject } from "./kubernetesObject.ts";
import { kustomizeNames, references } from "./kustomizeFolder.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** A file of a cluster's flux folder that was not generated. */
export interface HandWritten {
  /** From the root of the repository. */
  readonly path: string;
  /** Below the flux folder. */
  readonly name: string;
  readonly text: string;
  /** Its objects; undefined where it cannot be read as YAML. */
  readonly objects: readonly KubernetesObject[] | undefined;
}

/** The hand-written files of a flux folder. */
export interface FluxFolderFiles {
  /** Kustomize configurations in the folder itself, in any spelling that kustomize takes. */
  readonly configs: readonly HandWritten[];
  /** Files in the folder itself whose name is nearly that of a kustomize configuration. */
  readonly misnamed: readonly string[];
  /** Manifests that the bootstrap applies beside ours. */
  readonly manifests: readonly HandWritten[];
}

const nothing: FluxFolderFiles = { configs: [], misnamed: [], manifests: [] };

/**
 * Reads what others wrote to the flux folder of a cluster, as Flux does: without a kustomize configuration every YAML
 * file below it. Files that an update would write, and those that an earlier one wrote, are not among them.
 */
export async function handWritten(
  cluster: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
): Promise<FluxFolderFiles> {
  const { fluxFolder, folder } = cluster;
  const entries = await reader.list(fluxFolder);
  if (entries === undefined) return nothing;

  const read = async (name: string): Promise<HandWritten[]> => {
    const path = fluxFolder === "" ? name : `${fluxFolder}/${name}`;
    if (ours.has(path)) return [];
    const text = await reader.read(path);
    if (text === undefined || text.startsWith(`# ${generatedNote}`)) return [];
    return [{ path, name, text, objects: kubernetesObjects(text, path) }];
  };
  const below = async (name: string, level: number): Promise<string[]> => {
    const found = (await reader.list(fluxFolder === "" ? name : `${fluxFolder}/${name}`)) ?? [];
    // A folder with a configuration of its own is one resource, and what it takes in is its own matter.
    if (level > 10 || found.some((entry) => kustomizeNames.includes(entry.name))) return [];
    return yamlFiles(found, `${name}/`, level);
  };
  const yamlFiles = async (
    found: readonly { readonly name: string; readonly kind: string }[],
    prefix: string,
    level: number,
  ): Promise<string[]> => {
    const lists = await Promise.all(
      found.map(async ({ name, kind }) => {
        if (kind === "folder") return below(`${prefix}${name}`, level + 1);
        return kind === "file" && /\.ya?ml$/.test(name) ? [`${prefix}${name}`] : [];
      }),
    );
    return lists.flat();
  };

  const names = entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
  const configs = (await Promise.all(names.filter((name) => kustomizeNames.includes(name)).map(read))).flat();
  // In the cluster folder itself our own configuration names our files alone, and nothing else is applied.
  const closed = fluxFolder === folder;
  const misnamed = closed
    ? []
    : names.filter((name) => /^kustomization(\.ya?ml)?$/i.test(name) && !kustomizeNames.includes(name));
  const applied = closed ? [] : await yamlFiles(entries, "", 0);
  const isTaken = takenBy(configs);
  const manifests = applied.filter(
    (name) => !kustomizeNames.includes(name) && !misnamed.includes(name) && isTaken(name),
  );
  return { configs, misnamed, manifests: (await Promise.all(manifests.map(read))).flat() };
}

/** Which files of the folder a kustomize configuration takes in; all of them where there is none. */
function takenBy(configs: readonly HandWritten[]): (name: string) => boolean {
  if (configs.length === 0) return () => true;
  const taken = configs
    .flatMap(({ text }) => documents(text) ?? [])
    .flatMap(references)
    .map(normal);
  return (name) => taken.some((path) => name === path || name.startsWith(`${path}/`));
}
