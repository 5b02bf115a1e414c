import type { ImportedObject } from "./documents.ts";
import { type Inner, innerOf, type Judged } from "./inner.ts";
import type { NotTaken, Report } from "./notTaken.ts";
import { isNamed, type Root, type SourceName, sourceNamed, usualSource } from "./roots.ts";
import type { Place } from "./whatApplies.ts";
import { type ImportedSet, setEntry } from "./setEntry.ts";
import { type ImportedSource, sourceEntry, sourceEntryKinds } from "./sourceEntry.ts";
import { normalFolder } from "../build/index.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { asMap, asText, type YamlMap } from "../values/maps.ts";
import { isKustomization } from "./isKustomization.ts";

/** A cluster as it was found: what its root applies, as Flux builds it. */
export interface FoundCluster {
  readonly name: string;
  /** Repository path of what its root applies, where a repository was read. */
  readonly folder?: string;
  /** What its root applies, where a repository was read. */
  readonly place?: Place;
  readonly root: Root | undefined;
  /** The source that stands for the repository. Defaults to that of the root, else to the usual one. */
  readonly follows?: SourceName;
  readonly objects: readonly ImportedObject[];
  /** The Kustomizations that sets of it apply and that stay where they are, as `namespace/name`. */
  readonly nested: ReadonlySet<string>;
  /** Other Kustomizations that sets of it apply. */
  readonly inner?: readonly Inner<ImportedObject>[];
  /** `apps` of the fleet file, where its set apps-base holds nothing else. */
  readonly apps?: YamlMap | undefined;
  /** What is lost of the comments of its files, by file. */
  readonly comments?: ReadonlyMap<string, string>;
  /** What Azure has of it, where it is one of Azure Arc. */
  readonly azure?: AzureCluster;
}

/** A cluster behind Azure Arc, by the words of the fleet file. */
export interface AzureCluster {
  readonly arc: YamlMap;
  readonly lockdown: boolean;
  /** Names of its Flux configurations: a new one must have another. */
  readonly configurations: readonly string[];
}

/** What a fleet file can say of a cluster. */
export interface ReadCluster {
  readonly name: string;
  /** Repository path of what its root applies today, where a repository was read. */
  readonly folder?: string | undefined;
  readonly root: Root | undefined;
  /** The source that stands for the repository. An artifact stays a source of its own. */
  readonly follows: SourceName;
  readonly azure?: AzureCluster | undefined;
  readonly apps?: YamlMap | undefined;
  readonly sets: readonly ImportedSet[];
  /** Names of the sets that apply a set today, besides the root. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** Sources that sets take, but the root's own. */
  readonly sources: readonly ImportedSource[];
  /** That source, where it is a GitRepository among the objects. */
  readonly own: ImportedSource | undefined;
  /** Names that are taken on the cluster. */
  readonly names: ReadonlySet<string>;
  /** Kustomizations that go on beside the fleet file, as `namespace/name`: those that sets apply, and those that it cannot have. */
  readonly beside: ReadonlySet<string>;
  /** The objects that entries were made from. */
  readonly from: ReadonlyMap<ImportedSet | ImportedSource, ImportedObject>;
}

/** Sorts what a root applies into sets and sources; everything else is noted. */
export function readCluster(found: FoundCluster, notTaken: NotTaken[]): ReadCluster {
  const { name, folder, root, objects, azure, apps } = found;
  const follows = found.follows ?? root?.source ?? usualSource;
  const secondRoots = objects.filter((object) => isSecondRoot(object, found));
  const sets = new Map<string, ImportedSet>();
  const sources = new Map<string, ImportedSource>();
  const from = new Map<ImportedSet | ImportedSource, ImportedObject>();
  const others: ImportedObject[] = [];
  const leftOut = new Set<string>();

  for (const object of ofFluxFirst(objects)) {
    const { kind, apiVersion } = object;
    const [group, version] = apiVersion.split("/");
    const report = reporter(object, notTaken);
    const sourceKind = sourceEntryKinds.find((one) => one === kind && group === "source.toolkit.fluxcd.io");
    const isSet = isKustomization(object);
    if (isSet && nameOf(object) === root?.name) continue;
    if (!isSet && sourceKind === undefined) {
      others.push(object);
      continue;
    }
    if (version !== "v1") report("apiVersion", "is an old one; it is written as v1", "know");
    if (isSet) leftOut.add(placeOf(object.value));
    if (secondRoots.includes(object)) {
      report("", secondRoot(found), "object");
      continue;
    }
    if (sourceKind !== undefined) keep(sources, sourceEntry(object, sourceKind, report), report, object);
    else keep(sets, setEntry(object, report), report, object);
  }

  const parents = new Map<string, readonly string[]>();
  const nested = new Set(found.nested);
  const direct = objects.filter(isKustomization).map(({ value }) => value);
  const inner = innerOf(direct, found.inner ?? []);
  const byKey = Map.groupBy(inner, ({ object }) => placeOf(object.value));
  for (const entries of byKey.values()) {
    const [{ object }] = entries as [Judged<ImportedObject>];
    const called = nameOf(object);
    if (called === root?.name) continue;
    const report = reporter(object, notTaken);
    const staying = entries.find((each) => each.stays !== undefined || !isSetOf(each, called));
    if (staying !== undefined) {
      report("", `is left out: it stays with ${staying.parent}, since ${staying.stays ?? noSet}`, "object");
      nested.add(placeOf(object.value));
      continue;
    }
    leftOut.add(placeOf(object.value));
    const entry = setEntry(object, report);
    keep(sets, entry, report, object);
    if (entry !== undefined && sets.get(called) === entry)
      parents.set(
        called,
        entries.map(({ parent }) => parent),
      );
  }

  function isSetOf({ parent }: Inner<ImportedObject>, called: string): boolean {
    return parent === called || sets.has(parent);
  }

  function keep<T extends ImportedSet | ImportedSource>(
    into: Map<string, T>,
    entry: T | undefined,
    report: Report,
    object: ImportedObject,
  ): void {
    if (entry === undefined) return;
    if (into.has(entry.name)) return report("", twice, "object");
    into.set(entry.name, entry);
    from.set(entry, object);
    leftOut.delete(placeOf(object.value));
  }

  noteOthers(others, root, notTaken);
  const own = sources.get(follows.name);
  const isOwn = own?.kind === "GitRepository" && isNamed(own, follows);
  if (isOwn) sources.delete(own.name);
  const all = [...sets.values()];
  const used = usedSources(all, sources);
  for (const source of sources.values())
    if (!used.has(source.name))
      notTaken.push({
        file: from.get(source)!.file,
        path: `${source.kind} ${source.name}`,
        reason:
          "is left out: no set takes it, and a fleet file has only sources of sets; keep it where it is",
        matter: "object",
      });
  return {
    name,
    folder,
    root,
    follows,
    azure,
    // Without their set, nothing would apply them as it does today.
    apps: sets.has(appsSet) ? apps : undefined,
    sets: all,
    parents,
    sources: [...sources.values()].filter((source) => used.has(source.name)),
    own: isOwn ? own : undefined,
    names: new Set([...sets.keys(), ...sources.keys(), ...[...nested].map(nameIn)]),
    beside: new Set([...nested, ...leftOut]),
    from,
  };
}

/** Notes of an object, or of a field of it, what is not taken as it stands. */
function reporter(object: ImportedObject, notTaken: NotTaken[]): Report {
  const { file, kind } = object;
  const what = `${kind} ${nameOf(object)}`;
  return (path, reason, matter) =>
    void notTaken.push({ file, path: path === "" ? what : `${what}: ${path}`, reason, matter });
}

/** A Kustomization that applies the folder of the root once more, itself and all sets in it. */
function isSecondRoot(object: ImportedObject, { place, root }: FoundCluster): boolean {
  if (place === undefined || root === undefined || !isKustomization(object)) return false;
  const { value } = object;
  const { path, sourceRef } = asMap(value["spec"]);
  const source = sourceNamed(asMap(sourceRef), asMap(value["metadata"])["namespace"]);
  return (
    source !== undefined && isNamed(source, root.source) && normalFolder(asText(path) ?? "") === root.folder
  );
}

const secondRoot = ({ place, root }: FoundCluster): string =>
  `is left out: it is a second root, which applies ${place?.folder || "the whole repository"} as ${root?.name} does; set prune: false ` +
  "in it, wait until Flux has that, then delete it, before you adopt the cluster";

/** Of two of one name, that of flux-system is taken: nearly all are there. */
function ofFluxFirst(objects: readonly ImportedObject[]): readonly ImportedObject[] {
  const isElsewhere = ({ value }: ImportedObject): boolean => !placeOf(value).startsWith(`${fluxNamespace}/`);
  return [...objects.filter((each) => !isElsewhere(each)), ...objects.filter(isElsewhere)];
}

const noSet = "it is no set of the fleet file itself";

const twice =
  "is left out: the root applies another one of that name, there twice or in another namespace, and a fleet file has one of each name";

/** What the root applies by itself goes with it, unless something else applies it first. Flux's own parts are no news. */
function noteOthers(objects: readonly ImportedObject[], root: Root | undefined, notTaken: NotTaken[]): void {
  const applies = root?.label ?? "What applies the folder today";
  for (const object of objects) {
    if (isFluxItself(object) || isKustomizeConfig(object)) continue;
    const { file, kind, apiVersion } = object;
    const reason =
      apiVersion.startsWith("notification.toolkit.fluxcd.io/") && kind !== "Receiver"
        ? "is left out: write it under `alerts`, or put its file into the path of a set"
        : `is left out: ${applies} applies it itself, and takes it along when it goes; put its file into the path of a set first`;
    notTaken.push({ file, path: `${kind} ${nameOf(object)}`, reason, matter: "object" });
  }
}

/** What `flux install` writes: the controllers with all they need. They stay as they are. */
function isFluxItself({ file, value, kind }: ImportedObject): boolean {
  const labels = (value["metadata"] as { readonly labels?: Readonly<Record<string, unknown>> } | undefined)
    ?.labels;
  return (
    /(^|\/)gotk-components\.ya?ml$/.test(file) ||
    labels?.["app.kubernetes.io/part-of"] === "flux" ||
    kind === "FluxInstance"
  );
}

/** Kustomize's own file is none of the objects that it lists. */
function isKustomizeConfig({ apiVersion, kind }: ImportedObject): boolean {
  return apiVersion.startsWith("kustomize.config.k8s.io/") || (apiVersion === "" && kind === "Kustomization");
}

/** Names of the sources that sets take, with the GitRepositories that those include. */
function usedSources(
  sets: readonly ImportedSet[],
  sources: ReadonlyMap<string, ImportedSource>,
): ReadonlySet<string> {
  const used = new Set<string>();
  const queue = [...sources.values()].filter((source) =>
    sets.some(({ sourceRef }) => isSame(sourceRef, source)),
  );
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    if (used.has(source.name)) continue;
    used.add(source.name);
    const included = (source.spec["include"] ?? []) as readonly {
      readonly repository: { readonly name: string };
    }[];
    for (const { repository } of included) {
      const found = sources.get(repository.name);
      if (found?.kind === "GitRepository") queue.push(found);
    }
  }
  return used;
}

/** Whether a reference names the GitRepository that stands for the repository of the fleet file. */
export function isOwnSource(
  reference: { readonly kind: string; readonly name: string; readonly namespace?: string | undefined },
  follows: SourceName,
): boolean {
  return follows.kind === "GitRepository" && isNamed(reference, follows);
}

/** Whether a set takes its manifests from this source. */
export function isSame({ kind, name, namespace }: ImportedSet["sourceRef"], source: ImportedSource): boolean {
  return namespace === undefined && kind === source.kind && name === source.name;
}

/** An object of a kind as `namespace/name`. */
export function placeOf(value: Readonly<Record<string, unknown>>): string {
  const { name, namespace } = asMap(value["metadata"]);
  return `${asText(namespace) ?? fluxNamespace}/${asText(name) ?? ""}`;
}

function nameIn(place: string): string {
  return place.slice(place.indexOf("/") + 1);
}

export function nameOf({ value }: Pick<ImportedObject, "value">): string {
  return (
    asText((value["metadata"] as { readonly name?: unknown } | null | undefined)?.name) ?? "without a name"
  );
}
