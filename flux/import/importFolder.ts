import { appliedFiles } from "./appliedFiles.ts";
import { type ImportedObject, objectsOf } from "./documents.ts";
import { fleetOf, isSame } from "./fleetOf.ts";
import { fleetText } from "./fleetText.ts";
import type { NotTaken, Report } from "./notTaken.ts";
import { bootstrapName, freeConfig, repositoryOf } from "./repository.ts";
import { type ImportedSet, setEntry } from "./setEntry.ts";
import { type ImportedSource, sourceEntry, sourceEntryKinds } from "./sourceEntry.ts";

export interface ImportOptions {
  /** Name of the cluster. Defaults to `edge-0`. */
  readonly cluster?: string;
  /** Folder of clusters in the repository, such as `clusters`. Defaults to that. */
  readonly parent?: string;
  /** URL of the GitOps repository. Defaults to that of the GitRepository flux-system, if the folder has it. */
  readonly repositoryUrl?: string;
}

export interface Imported {
  /** Text of a fleet file with the one cluster. */
  readonly fleetYaml: string;
  /** Everything of the folder that the fleet file does not have, or has in another way. */
  readonly notTaken: readonly NotTaken[];
  /** Names of the sets, and of the sources, that were taken. */
  readonly sets: readonly string[];
  readonly sources: readonly string[];
}

type Found<T> = T & { readonly file: string };

/**
 * Turns the Kustomizations and sources of an existing folder into a fleet file that renders to objects of the same
 * meaning. `files` holds the text of each file by its path. Never throws for what a file says: what cannot be taken is
 * listed, object by object and field by field, and stands as comments in the fleet file.
 */
export function importFolder(files: Readonly<Record<string, string>>, options: ImportOptions = {}): Imported {
  const notTaken: NotTaken[] = [];
  const sets = new Map<string, Found<{ set: ImportedSet }>>();
  const sources = new Map<string, Found<{ source: ImportedSource }>>();
  const applied = appliedFiles(files);
  for (const file of Object.keys(files).sort()) {
    const read = objectsOf(file, files[file]!);
    notTaken.push(...read.notTaken);
    for (const object of read.objects) {
      // Flux's own objects say where the repository is, whether they are applied from here or not.
      if (applied.has(file) || nameOf(object) === bootstrapName) take(object, sets, sources, notTaken);
      else notTaken.push({ file, path: `${object.kind} ${nameOf(object)}`, reason: asleep });
    }
  }

  const own =
    sources.get(bootstrapName)?.source.kind === "GitRepository" ? sources.get(bootstrapName) : undefined;
  const bootstrap = sets.get(bootstrapName);
  if (own !== undefined) sources.delete(bootstrapName);
  sets.delete(bootstrapName);
  const all = [...sets.values()].map(({ set }) => set);
  const config = freeConfig((name) => sets.has(name) || sources.has(name));
  const repository = repositoryOf(own, bootstrap, config, options.repositoryUrl, notTaken);

  const used = usedSources(all, sources);
  const cluster = options.cluster ?? "edge-0";
  const taken = [...sources.values()].flatMap(({ source, file }) => {
    if (used.has(source.name)) return [source];
    const reason = "is taken by no set, and a fleet file has only sources of sets; leave it where it is";
    notTaken.push({ file, path: `${source.kind} ${source.name}`, reason });
    return [];
  });
  const fleet = fleetOf(all, taken, repository, cluster, notTaken, options.parent);
  return {
    fleetYaml: fleetText(fleet, cluster, notTaken),
    notTaken,
    sets: all.map(({ name }) => name).sort(),
    sources: taken.map(({ name }) => name).sort(),
  };
}

const asleep =
  "is left out: no kustomization.yaml lists its file, so Flux does not apply it today; list it first if it should run";

/** Names of the sources that sets take, with the GitRepositories that those include. */
function usedSources(
  sets: readonly ImportedSet[],
  sources: ReadonlyMap<string, Found<{ source: ImportedSource }>>,
): ReadonlySet<string> {
  const used = new Set<string>();
  const queue = [...sources.values()]
    .map(({ source }) => source)
    .filter((source) => sets.some(({ sourceRef }) => isSame(sourceRef, source)));
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    if (used.has(source.name)) continue;
    used.add(source.name);
    const included = (source.spec["include"] ?? []) as readonly {
      readonly repository: { readonly name: string };
    }[];
    for (const { repository } of included) {
      const found = sources.get(repository.name)?.source;
      if (found?.kind === "GitRepository") queue.push(found);
    }
  }
  return used;
}

function take(
  object: ImportedObject,
  sets: Map<string, Found<{ set: ImportedSet }>>,
  sources: Map<string, Found<{ source: ImportedSource }>>,
  notTaken: NotTaken[],
): void {
  const { file, kind, apiVersion } = object;
  const [group, version] = apiVersion.split("/");
  const what = `${kind} ${nameOf(object)}`;
  const report: Report = (path, reason) =>
    void notTaken.push({ file, path: path === "" ? what : `${what}: ${path}`, reason });
  const known = group === "kustomize.toolkit.fluxcd.io" || group === "source.toolkit.fluxcd.io";
  const sourceKind = sourceEntryKinds.find((one) => one === kind && group === "source.toolkit.fluxcd.io");
  const isSet = kind === "Kustomization" && group === "kustomize.toolkit.fluxcd.io";
  if (!isSet && sourceKind === undefined) {
    report("", otherKind(group, kind));
    return;
  }
  if (known && version !== "v1") report("apiVersion", "is an old one; it is written as v1");

  if (sourceKind !== undefined) {
    const source = sourceEntry(object, sourceKind, report);
    const first = source && sources.get(source.name);
    if (first) report("", `is there already, from ${first.file}, and is left out`);
    else if (source) sources.set(source.name, { source, file });
    return;
  }
  const set = setEntry(object, report);
  const first = set && sets.get(set.name);
  if (first) report("", `is there already, from ${first.file}, and is left out`);
  else if (set) sets.set(set.name, { set, file });
}

function nameOf({ value }: ImportedObject): string {
  const name = (value["metadata"] as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : "without a name";
}

function otherKind(group: string | undefined, kind: string): string {
  if (group === "kustomize.config.k8s.io" || (kind === "Kustomization" && group === ""))
    return "is kustomize's own list of files; a flux folder needs none";
  if (group === "notification.toolkit.fluxcd.io")
    return "is not imported; write it under `alerts`, or leave it where it is";
  return "is no Kustomization and no source that a fleet file has; leave it where it is";
}
