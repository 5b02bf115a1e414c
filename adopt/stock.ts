import { isDeepStrictEqual } from "node:util";
import { normalFolder } from "../build/index.ts";
import {
  type Cluster,
  type ClusterSet,
  fluxNamespace,
  namespaceOf as namespaceOfSet,
} from "../fleet/model.ts";
import { windowObject } from "../fleet/window/index.ts";
import { fluxInstanceGroup } from "../flux/fluxInstance.ts";
import { renderKustomization } from "../flux/kustomization.ts";
import { meaningOf } from "../import/index.ts";
import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";
import type { OldConfiguration } from "./azure.ts";
import {
  annotationOf,
  type Entry,
  inventoryOf,
  isFluxItself,
  keyOf,
  labelOf,
  nameOf,
  namespaceOf,
  shownEntry,
  shownName,
} from "./objects.ts";
import { applies, azureName, configurationOf, oursOf, ownSourceOf, shownOwnerOf, rootsOf } from "./roots.ts";

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
  /** Kustomization that applied it last, with its namespace where that is not flux-system; absent where none did. */
  readonly owner?: string;
  readonly isThere: boolean;
  /** Kustomization that has its workload today, as `flux-workspace/old-pos`, where that has another name. */
  readonly from?: string;
  /** Configuration in Azure that makes the very Kustomization of the set, and deletes it when it goes. */
  readonly madeBy?: string;
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
  /** GitRepository that nothing which stays takes; absent where something does. */
  readonly source?: { readonly namespace: string; readonly name: string };
  /** File of the repository that brings it, where it applies itself, as `flux bootstrap` leaves it. */
  readonly file?: string;
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

/** Takes stock of a cluster of the repository `url`; `configurations` are those of others that Azure has for it. */
export function stockOf(
  cluster: Pick<Cluster, "config" | "sets">,
  url: string,
  { kustomizations, gitRepositories, takers, instances }: FluxObjects,
  configurations: readonly OldConfiguration[] = [],
): Stock {
  const byKey = new Map(kustomizations.map((object) => [keyOf(object), object]));
  const ours = oursOf(cluster, url);
  const isOurs = (object: YamlMap): boolean => ours.keys.has(keyOf(object));
  const isMade = (object: YamlMap): boolean => configurationOf(object, configurations) !== undefined;
  const tops = rootsOf(kustomizations, gitRepositories, configurations, ours);
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
  const staying = kustomizations.filter((one) => !going.includes(one));
  const users = [...staying, ...takers, ...gitRepositories];
  const instance = instances.find(({ spec }) => asMap(spec)["sync"] !== undefined);
  return {
    goes: going.map((object) => oldRoot(object, configurations, { gitRepositories, users })),
    configurations,
    ...(instance && {
      instance: {
        ...{ name: nameOf(instance), namespace: namespaceOf(instance) },
        isPaused: annotationOf(instance, operatorMark)?.toLowerCase() === "disabled",
      },
    }),
    sets: cluster.sets.map((set) => {
      const there = byKey.get(`${namespaceOfSet(set)}/${set.name}`);
      const madeBy = there && configurationOf(there, configurations);
      return { ...stockedSet(set, cluster, there, moved.get(set.name)), ...(madeBy && { madeBy }) };
    }),
    leftBehind: left.filter((one) => !isMade(one)).map(shownName),
    unknown: left.filter(isMade).map(shownName),
    alone: tops.filter((one) => !isSet(one) && ![...moved.values()].includes(one)).flatMap(aloneOf),
    unowned: unowned([...moved.values()], staying),
    bootstrap: readiness(byKey.get(`${fluxNamespace}/${cluster.config}-bootstrap`)),
  };
}

/** Annotation by which flux-operator leaves a FluxInstance alone. */
export const operatorMark = `${fluxInstanceGroup}/reconcile`;
const lockMark = "kustomize.toolkit.fluxcd.io/reconcile";

/** Whether an old Kustomization is a set, by its name: `pos`, or `old-pos` of a configuration `old`. */
function isOf(object: YamlMap, { name }: ClusterSet): boolean {
  const prefix = labelOf(object, azureName);
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
  const owner = there && shownOwnerOf(there);
  const before = there ?? old;
  const from = old === undefined || old === there ? undefined : shownName(old);
  return {
    name: set.name,
    wanted: set.window === undefined ? `${config}-bootstrap` : windowObject(set.window),
    isThere: there !== undefined,
    isLocked: there !== undefined && labelOf(there, lockMark) === "disabled",
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
  const source =
    configuration === undefined ? ownSourceOf(object, all.gitRepositories, all.users) : undefined;
  return {
    name: nameOf(object),
    namespace: namespaceOf(object),
    path: asText(spec["path"]) ?? "./",
    prune: spec["prune"] === true,
    suspended: spec["suspend"] === true,
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    ...(source !== undefined && { source }),
    ...(applies(object, object) && { file: syncFile(object) }),
    ...(configuration !== undefined && { configuration }),
  };
}

/** Where `flux bootstrap` keeps a root, in the folder that it applies. */
function syncFile(object: YamlMap): string {
  const folder = normalFolder(asText(asMap(object["spec"])["path"]) ?? "");
  return [...(folder === "" ? [] : [folder]), namespaceOf(object), "gotk-sync.yaml"].join("/");
}

/** Objects of Kustomizations that go which none that stays applies; what they apply of Flux is told for itself. */
function unowned(going: readonly YamlMap[], staying: readonly YamlMap[]): string[] {
  const owned = new Set(staying.flatMap((object) => inventoryOf(object).map(({ id }) => id)));
  return going
    .flatMap(inventoryOf)
    .filter(({ id, group }) => !group.startsWith("kustomize.toolkit") && !owned.has(id))
    .map(shownEntry);
}

/** Objects of the root's own inventory that are neither Kustomizations nor Flux itself. */
function aloneOf(root: YamlMap): string[] {
  return inventoryOf(root)
    .filter(
      (entry) =>
        // Kustomizations are told for themselves, and the root's own source goes with it or stays for others.
        !entry.group.startsWith("kustomize.toolkit") &&
        !isSource(root, entry) &&
        entry.kind !== "CustomResourceDefinition" &&
        !isFluxItself(entry),
    )
    .map(shownEntry);
}

function isSource(root: YamlMap, { kind, name }: Entry): boolean {
  const reference = asMap(asMap(root["spec"])["sourceRef"]);
  return kind === reference["kind"] && name === reference["name"];
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
