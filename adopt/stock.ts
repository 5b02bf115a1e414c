import { isDeepStrictEqual } from "node:util";
import { normalFolder } from "../build/index.ts";
import { type Cluster, type ClusterSet, fluxNamespace } from "../fleet/model.ts";
import { windowObject } from "../fleet/window/index.ts";
import { renderKustomization } from "../flux/kustomization.ts";
import { ownerNamespaceOf, ownerOf } from "../flux/owner.ts";
import { meaningOf } from "../import/index.ts";
import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";
import type { OldConfiguration } from "./azure.ts";

/** Objects of Flux on a cluster, as its API lists them. */
export interface FluxObjects {
  /** Of all namespaces. */
  readonly kustomizations: readonly YamlMap[];
  readonly gitRepositories: readonly YamlMap[];
  /** Other objects that may take a source: HelmReleases, HelmCharts, ImageUpdateAutomations, of all namespaces. */
  readonly takers: readonly YamlMap[];
  /** Of flux-operator. */
  readonly instances: readonly YamlMap[];
}

/** A set of the fleet file on the cluster as it is. */
export interface StockedSet {
  readonly name: string;
  /** Kustomization that is to apply it: the bootstrap, or that of its window. */
  readonly wanted: string;
  /** Kustomization that applied it last; absent where nobody of Flux did, or it is not there. */
  readonly owner?: string;
  readonly isThere: boolean;
  /** Kustomization that has its workload today, as `flux-workspace/old-pos`, where that has another name. */
  readonly from?: string;
  /** Whether a label on the cluster keeps Flux from applying it. */
  readonly isLocked: boolean;
  readonly window?: string;
  /** Fields of the spec that the fleet file says in another way. */
  readonly differs: readonly string[];
}

/** A Kustomization of others that goes: the one that the sets come from today, or one with the workload of a set. */
export interface OldRoot {
  readonly name: string;
  readonly namespace: string;
  readonly path: string;
  readonly prune: boolean;
  readonly suspended: boolean;
  /** Whether it says itself what goes with it, in place of what `prune` says. */
  readonly deletionPolicy?: string;
  /** GitRepository that nothing else of the cluster takes; absent where something does. */
  readonly source?: string;
  /** Configuration in Azure that makes it, and makes it anew; absent where it is the cluster's own. */
  readonly configuration?: string;
}

/** What is on a cluster that is to be adopted. Worked out anew each time; nothing of it is kept. */
export interface Stock {
  /** What goes, on the cluster. */
  readonly goes: readonly OldRoot[];
  /** What goes, in Azure. */
  readonly configurations: readonly OldConfiguration[];
  /** FluxInstance of flux-operator that makes the root anew. */
  readonly instance?: { readonly name: string; readonly namespace: string; readonly isPaused: boolean };
  readonly sets: readonly StockedSet[];
  /** Kustomizations that the old ones apply and the fleet file does not have. */
  readonly leftBehind: readonly string[];
  /** Those that a configuration in Azure makes itself: they go with it, and nobody can leave them. */
  readonly unknown: readonly string[];
  /** What else the old ones apply, as `ConfigMap flux-system/settings`, without Flux itself. */
  readonly alone: readonly string[];
  /** What moves to a set of another name, and no set of the cluster applies yet. */
  readonly unowned: readonly string[];
  readonly bootstrap: { readonly isThere: boolean; readonly isReady: boolean; readonly message: string };
}

/** Takes stock of a cluster; `configurations` are those of others that Azure has for it. */
export function stockOf(
  cluster: Pick<Cluster, "config" | "sets">,
  { kustomizations, gitRepositories, takers, instances }: FluxObjects,
  configurations: readonly OldConfiguration[] = [],
): Stock {
  const bootstrapName = `${cluster.config}-bootstrap`;
  const byKey = new Map(kustomizations.map((object) => [keyOf(object), object]));
  const names = new Set(cluster.sets.map(({ name }) => name));
  const isOurs = (object: YamlMap): boolean =>
    namespaceOf(object) === fluxNamespace && (names.has(nameOf(object)) || nameOf(object) === bootstrapName);
  const isMade = (object: YamlMap): boolean => configurationOf(object, configurations) !== undefined;
  const tops = rootsOf(kustomizations, configurations, names, bootstrapName);
  const applied = kustomizations.filter((object) =>
    tops.some((top) => top !== object && applies(top, object)),
  );
  // What applies nothing of Flux is a set itself, which a configuration in Azure may hold.
  const isSet = (top: YamlMap): boolean => isMade(top) && !kustomizations.some((one) => applies(top, one));
  const others = [...new Set([...tops.filter(isSet), ...applied.filter((one) => !isOurs(one))])];
  const moved = new Map(
    cluster.sets.flatMap((set) => {
      const old =
        others.find((one) => isOf(one, set) && (isMade(one) || hasPath(one, set))) ??
        others.find((one) => isMade(one) && hasPath(one, set));
      return old === undefined ? [] : [[set.name, old] as const];
    }),
  );
  // Those with a workload go first: while their root is there, what they were is known.
  const going = [...new Set([...moved.values(), ...tops])];
  const left = others.filter(
    (one) => !going.includes(one) || (isSet(one) && ![...moved.values()].includes(one)),
  );
  const bootstrap = byKey.get(`${fluxNamespace}/${bootstrapName}`);
  const users = [...kustomizations, ...takers, ...gitRepositories];
  const instance = instances.find(({ spec }) => asMap(spec)["sync"] !== undefined);
  return {
    goes: going.map((object) => oldRoot(object, configurations, { gitRepositories, users })),
    configurations,
    ...(instance && {
      instance: {
        ...{ name: nameOf(instance), namespace: namespaceOf(instance) },
        isPaused: asMap(asMap(instance["metadata"])["annotations"])[operatorMark] === "disabled",
      },
    }),
    sets: cluster.sets.map((set) =>
      stockedSet(set, cluster, byKey.get(`${fluxNamespace}/${set.name}`), moved.get(set.name)),
    ),
    leftBehind: left.filter((one) => !isMade(one)).map(shownName),
    unknown: left.filter(isMade).map(shownName),
    alone: tops.filter((one) => !isSet(one) && ![...moved.values()].includes(one)).flatMap(aloneOf),
    unowned: unowned(
      [...moved.values()],
      kustomizations.filter((one) => !going.includes(one)),
    ),
    bootstrap: readiness(bootstrap),
  };
}

/** Annotation by which flux-operator leaves a FluxInstance alone. */
export const operatorMark = "fluxcd.controlplane.io/reconcile";
const azureName = "clusterconfig.azure.com/name";
const lockMark = "kustomize.toolkit.fluxcd.io/reconcile";

/** What everything else of others comes from: what configurations in Azure make, or the root on the cluster. */
function rootsOf(
  all: readonly YamlMap[],
  configurations: readonly OldConfiguration[],
  names: ReadonlySet<string>,
  bootstrapName: string,
): readonly YamlMap[] {
  const made = all.filter((object) => configurationOf(object, configurations) !== undefined);
  const letGo = all.filter((object) => isLettingGo(object) && !made.includes(object));
  if (configurations.length > 0 || letGo.length > 0) return [...made, ...letGo];
  const root = rootOf(
    all.filter((object) => namespaceOf(object) === fluxNamespace),
    names,
    bootstrapName,
  );
  return root === undefined ? [] : [root];
}

function configurationOf(object: YamlMap, configurations: readonly OldConfiguration[]): string | undefined {
  const name = asText(asMap(asMap(object["metadata"])["labels"])[azureName]);
  return configurations.find((one) => one.name === name && one.namespace === namespaceOf(object))?.name;
}

/** The Kustomization, not ours, that applies itself or most of the sets. */
function rootOf(
  all: readonly YamlMap[],
  names: ReadonlySet<string>,
  bootstrapName: string,
): YamlMap | undefined {
  const counts = new Map<string, number>();
  for (const object of all) {
    const owner = ownerOf(object);
    if (owner === undefined || owner === bootstrapName || names.has(owner)) continue;
    const weight = owner === nameOf(object) ? 1000 : names.has(nameOf(object)) ? 1 : 0;
    counts.set(owner, (counts.get(owner) ?? 0) + weight);
  }
  const [found] = [...counts].filter(([, weight]) => weight > 0).sort(([, one], [, other]) => other - one);
  return found && all.find((each) => nameOf(each) === found[0]);
}

/** Whether a Kustomization applied another one last. */
function applies(root: YamlMap, object: YamlMap): boolean {
  return (
    ownerOf(object) === nameOf(root) && (ownerNamespaceOf(object) ?? fluxNamespace) === namespaceOf(root)
  );
}

/** Whether an old Kustomization is a set, by its name: `pos`, or `old-pos` of a configuration `old`. */
function isOf(object: YamlMap, { name }: ClusterSet): boolean {
  const prefix = asText(asMap(asMap(object["metadata"])["labels"])[azureName]);
  return nameOf(object) === name || (prefix !== undefined && nameOf(object) === `${prefix}-${name}`);
}

function hasPath(object: YamlMap, { spec }: ClusterSet): boolean {
  const [one, other] = [asText(asMap(object["spec"])["path"]), spec.path].map((path) =>
    normalFolder(path ?? ""),
  );
  return one === other;
}

function stockedSet(
  set: ClusterSet,
  { config }: Pick<Cluster, "config">,
  there: YamlMap | undefined,
  old: YamlMap | undefined,
): StockedSet {
  const owner = there && ownerOf(there);
  const before = there ?? old;
  const from = old === undefined || old === there ? undefined : shownName(old);
  return {
    name: set.name,
    wanted: set.window === undefined ? `${config}-bootstrap` : windowObject(set.window),
    isThere: there !== undefined,
    isLocked: asMap(asMap(there?.["metadata"])["labels"])[lockMark] === "disabled",
    ...(owner !== undefined && { owner }),
    ...(from !== undefined && { from }),
    ...(set.window !== undefined && { window: set.window }),
    differs: before === undefined ? [] : differences(before, set, config),
  };
}

function oldRoot(
  object: YamlMap,
  configurations: readonly OldConfiguration[],
  all: { readonly gitRepositories: readonly YamlMap[]; readonly users: readonly YamlMap[] },
): OldRoot {
  const spec = asMap(object["spec"]);
  const deletionPolicy = asText(spec["deletionPolicy"]);
  const configuration = configurationOf(object, configurations);
  const source = configuration === undefined ? sourceOf(object, all) : undefined;
  return {
    name: nameOf(object),
    namespace: namespaceOf(object),
    path: asText(spec["path"]) ?? "./",
    prune: spec["prune"] === true,
    suspended: spec["suspend"] === true,
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    ...(source !== undefined && { source }),
    ...(configuration !== undefined && { configuration }),
  };
}

/** Objects of Kustomizations that go which none that stays applies; what they apply of Flux is told for itself. */
function unowned(going: readonly YamlMap[], staying: readonly YamlMap[]): string[] {
  const owned = new Set(staying.flatMap((object) => inventoryOf(object).map(({ id }) => id)));
  return going
    .flatMap(inventoryOf)
    .filter(({ id, group }) => !group.startsWith("kustomize.toolkit") && !owned.has(id))
    .map(shownEntry);
}

/** Mark of a root that an earlier step suspended. */
export const lettingGo = "arcflux.io/adopted-by";

function isLettingGo(object: YamlMap): boolean {
  return asText(asMap(asMap(object["metadata"])["annotations"])[lettingGo]) !== undefined;
}

/** The GitRepository that a root takes, where nothing else does. */
function sourceOf(
  object: YamlMap,
  all: { readonly gitRepositories: readonly YamlMap[]; readonly users: readonly YamlMap[] },
): string | undefined {
  const { kind, name, namespace = fluxNamespace } = asMap(asMap(object["spec"])["sourceRef"]);
  const source = kind === "GitRepository" && namespace === fluxNamespace ? asText(name) : undefined;
  const isThere = all.gitRepositories.some(
    (each) => nameOf(each) === source && namespaceOf(each) === fluxNamespace,
  );
  const isUsed = all.users.some((other) => other !== object && refersTo(other["spec"], source));
  return isThere && !isUsed ? source : undefined;
}

/**
 * Whether a spec names a source of that name anywhere, by `sourceRef` or among what a GitRepository includes. The namespace is
 * not looked at: a source that stays for nothing does no harm.
 */
function refersTo(value: unknown, source: string | undefined): boolean {
  if (Array.isArray(value)) return value.some((item) => refersTo(item, source));
  return Object.entries(asMap(value)).some(
    ([key, inner]) =>
      ((key === "sourceRef" || key === "repository") && asMap(inner)["name"] === source) ||
      refersTo(inner, source),
  );
}

/** One entry of an inventory, as Flux writes it: `flux-system_settings__ConfigMap`. */
interface Entry {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

function inventoryOf(object: YamlMap): Entry[] {
  return asList(asMap(asMap(object["status"])["inventory"])["entries"]).map((entry) => {
    const id = asText(asMap(entry)["id"]) ?? "";
    const [namespace = "", name = "", group = "", kind = ""] = id.split("_");
    return { id, namespace, name, group, kind };
  });
}

function shownEntry({ kind, namespace, name }: Entry): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** Objects of the root's own inventory that are neither Kustomizations nor Flux itself. */
function aloneOf(root: YamlMap): string[] {
  return inventoryOf(root)
    .filter(
      ({ namespace, name, group, kind }) =>
        // Kustomizations are told for themselves, and the root's own source goes with it or stays for others.
        !group.startsWith("kustomize.toolkit") &&
        !isSource(root, kind, name) &&
        kind !== "CustomResourceDefinition" &&
        !isFluxItself(namespace, name, kind),
    )
    .map(shownEntry);
}

function isSource(root: YamlMap, kind: string, name: string): boolean {
  const reference = asMap(asMap(root["spec"])["sourceRef"]);
  return kind === reference["kind"] && name === reference["name"];
}

/** Parts of Flux that `flux bootstrap` keeps in the root's folder. They stay as they are. */
function isFluxItself(namespace: string, name: string, kind: string): boolean {
  if (kind === "Namespace" && name === fluxNamespace) return true;
  if (/^(Cluster)?Role(Binding)?$/.test(kind)) return /flux|cluster-reconciler|crd-controller/.test(name);
  return (
    namespace === fluxNamespace &&
    /^(Deployment|Service|ServiceAccount|NetworkPolicy|ResourceQuota)$/.test(kind) &&
    /controller|webhook-receiver|allow-|critical-pods/.test(name)
  );
}

/** Fields of the spec that mean something else, by name; the source counts where it is not the one that takes its place. */
function differences(there: YamlMap, set: ClusterSet, config: string): string[] {
  const before = asMap(meaningOf(asMap(there["spec"])));
  const after = asMap(meaningOf(renderKustomization(set).spec));
  const isOwn = [config, set.window && windowObject(set.window)].includes(set.sourceRef.name);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]) && (field !== "sourceRef" || !isOwn))
    .sort();
}

function readiness(object: YamlMap | undefined): Stock["bootstrap"] {
  const condition = asList(asMap(object?.["status"])["conditions"])
    .map(asMap)
    .find(({ type }) => type === "Ready");
  return {
    isThere: object !== undefined,
    isReady: condition?.["status"] === "True",
    message: asText(condition?.["message"]) ?? "",
  };
}

/** `pos`, or with its namespace where that is not Flux's own. */
function shownName(object: YamlMap): string {
  return namespaceOf(object) === fluxNamespace ? nameOf(object) : keyOf(object);
}

function keyOf(object: YamlMap): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

function nameOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

function namespaceOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["namespace"]) ?? "";
}
