import { isDeepStrictEqual } from "node:util";
import type { Cluster } from "../fleet/model.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { renderKustomization } from "../flux/kustomization.ts";
import { ownerNamespaceOf, ownerOf } from "../flux/owner.ts";
import { meaningOf } from "../import/index.ts";
import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";

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
  /** Kustomization that applied it last; absent where nobody of Flux did, or it is not there. */
  readonly owner?: string;
  readonly isThere: boolean;
  /** Fields of the spec that the fleet file says in another way. */
  readonly differs: readonly string[];
}

/** The Kustomization that the sets come from today. */
export interface OldRoot {
  readonly name: string;
  readonly path: string;
  readonly prune: boolean;
  readonly suspended: boolean;
  /** Whether it says itself what goes with it, in place of what `prune` says. */
  readonly deletionPolicy?: string;
  /** GitRepository that nothing else of the cluster takes; absent where something does. */
  readonly source?: string;
}

/** What is on a cluster that is to be adopted. Worked out anew each time; nothing of it is kept. */
export interface Stock {
  readonly root: OldRoot | undefined;
  /** Whether flux-operator keeps Flux there, and makes the root anew. */
  readonly byOperator: boolean;
  readonly sets: readonly StockedSet[];
  /** Kustomizations that the root applies and the fleet file does not have. */
  readonly leftBehind: readonly string[];
  /** What else the root applies, as `ConfigMap flux-system/settings`, without Flux itself. */
  readonly alone: readonly string[];
  readonly bootstrap: { readonly isThere: boolean; readonly isReady: boolean; readonly message: string };
}

/** Takes stock of a cluster. */
export function stockOf(
  cluster: Pick<Cluster, "config" | "sets">,
  { kustomizations, gitRepositories, takers, instances }: FluxObjects,
): Stock {
  const bootstrapName = `${cluster.config}-bootstrap`;
  const own = kustomizations.filter((object) => namespaceOf(object) === fluxNamespace);
  const byName = new Map(own.map((object) => [nameOf(object), object]));
  const names = new Set(cluster.sets.map(({ name }) => name));
  const root = rootOf(own, names, bootstrapName);
  const applied = kustomizations
    .filter(
      (object) =>
        ownerOf(object) === root?.name && (ownerNamespaceOf(object) ?? fluxNamespace) === fluxNamespace,
    )
    .map((object) =>
      namespaceOf(object) === fluxNamespace ? nameOf(object) : `${namespaceOf(object)}/${nameOf(object)}`,
    );
  const bootstrap = byName.get(bootstrapName);
  return {
    root:
      root &&
      withSource(root, byName.get(root.name)!, {
        gitRepositories,
        users: [...kustomizations, ...takers, ...gitRepositories],
      }),
    byOperator: instances.length > 0,
    sets: cluster.sets.map((set): StockedSet => {
      const there = byName.get(set.name);
      const owner = there && ownerOf(there);
      return {
        name: set.name,
        isThere: there !== undefined,
        ...(owner !== undefined && { owner }),
        differs: there === undefined ? [] : differences(there, renderKustomization(set), cluster.config),
      };
    }),
    leftBehind: applied.filter((name) => !names.has(name) && name !== root?.name && name !== bootstrapName),
    alone: root === undefined ? [] : aloneOf(byName.get(root.name)!),
    bootstrap: readiness(bootstrap),
  };
}

/** The Kustomization, not ours, that applies itself or most of the sets. */
function rootOf(
  all: readonly YamlMap[],
  names: ReadonlySet<string>,
  bootstrapName: string,
): OldRoot | undefined {
  const counts = new Map<string, number>();
  for (const object of all) {
    const owner = ownerOf(object);
    if (owner === undefined || owner === bootstrapName || names.has(owner)) continue;
    const weight = owner === nameOf(object) ? 1000 : names.has(nameOf(object)) ? 1 : 0;
    counts.set(owner, (counts.get(owner) ?? 0) + weight);
  }
  // After the handover its sets are ours already: what is left to do is told by the one that lets go.
  for (const object of all) if (isLettingGo(object)) counts.set(nameOf(object), 2000);
  const [found] = [...counts].filter(([, weight]) => weight > 0).sort(([, one], [, other]) => other - one);
  const object = found && all.find((each) => nameOf(each) === found[0]);
  if (object === undefined) return undefined;
  const spec = asMap(object["spec"]);
  return {
    name: nameOf(object),
    path: asText(spec["path"]) ?? "./",
    prune: spec["prune"] === true,
    suspended: spec["suspend"] === true,
    ...(asText(spec["deletionPolicy"]) !== undefined && { deletionPolicy: asText(spec["deletionPolicy"])! }),
  };
}

/** Mark of a root that an earlier step suspended. */
export const lettingGo = "arcflux.io/adopted-by";

function isLettingGo(object: YamlMap): boolean {
  return asText(asMap(asMap(object["metadata"])["annotations"])[lettingGo]) !== undefined;
}

function withSource(
  root: OldRoot,
  object: YamlMap,
  all: { readonly gitRepositories: readonly YamlMap[]; readonly users: readonly YamlMap[] },
): OldRoot {
  const { kind, name, namespace = fluxNamespace } = asMap(asMap(object["spec"])["sourceRef"]);
  const source = kind === "GitRepository" && namespace === fluxNamespace ? asText(name) : undefined;
  const isThere = all.gitRepositories.some(
    (each) => nameOf(each) === source && namespaceOf(each) === fluxNamespace,
  );
  const isUsed = all.users.some((other) => other !== object && refersTo(other["spec"], source));
  return { ...root, ...(source !== undefined && isThere && !isUsed && { source }) };
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

/** Objects of the root's own inventory that are neither Kustomizations nor Flux itself, as Flux lists them. */
function aloneOf(root: YamlMap): string[] {
  const entries = asList(asMap(asMap(root["status"])["inventory"])["entries"]);
  return entries.flatMap((entry) => {
    const [namespace = "", name = "", group = "", kind = ""] = (asText(asMap(entry)["id"]) ?? "").split("_");
    // Kustomizations are told for themselves, and the root's own source goes with it or stays for others.
    if (group.startsWith("kustomize.toolkit") || isSource(root, kind, name)) return [];
    if (kind === "CustomResourceDefinition" || isFluxItself(namespace, name, kind)) return [];
    return [`${kind} ${namespace === "" ? name : `${namespace}/${name}`}`];
  });
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

/** Fields of the spec that mean something else, by name; the source counts where it is not the one that goes. */
function differences(there: YamlMap, wanted: { readonly spec: YamlMap }, config: string): string[] {
  const before = asMap(meaningOf(asMap(there["spec"])));
  const after = asMap(meaningOf(wanted.spec));
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => {
      if (isDeepStrictEqual(before[field], after[field])) return false;
      return field !== "sourceRef" || asMap(after["sourceRef"])["name"] !== config;
    })
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

function nameOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

function namespaceOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["namespace"]) ?? "";
}
