import type { KubernetesObject } from "../../cluster/clusterApi.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import { kustomizationName } from "./fluxObjects.ts";

type State = "Compliant" | "Non-Compliant" | "Pending" | "Suspended";

/** What the agent tells Azure of a configuration, from the Flux objects of its namespace as they are on the cluster. */
export function complianceOf(name: string, properties: Json, objects: readonly KubernetesObject[]): Json {
  const keys = Object.keys(asObject(properties["kustomizations"]));
  const roots = new Set(keys.map((key) => kustomizationName(name, key)));
  const source = objects.find((one) => one.kind === "GitRepository" && one.metadata.name === name);
  const own = objects.filter((one) => one.kind === "Kustomization" && roots.has(one.metadata.name));
  const shown = [...(source ? [source] : []), ...own, ...appliedBy(roots, objects)];
  const states = [
    ...shown.map(stateOf),
    ...(source && own.length === roots.size ? [] : (["Pending"] as const)),
  ];
  const failing = shown.filter((one) => stateOf(one) === "Non-Compliant");
  return {
    complianceState: properties["suspend"] === true ? "Suspended" : overall(states),
    statuses: shown.map((one) => statusOf(one, ownersOf(one))),
    errorMessage: failing
      .map((one) => `${one.kind} ${one.metadata.name}: ${String(readyOf(one)?.["message"])}`)
      .join("\n"),
    sourceSyncedCommitId: commitOf(source),
    sourceUpdatedAt: asObject(asObject(source?.["status"])["artifact"])["lastUpdateTime"] ?? null,
  };
}

function overall(states: readonly State[]): State {
  for (const state of ["Non-Compliant", "Pending"] as const) if (states.includes(state)) return state;
  return "Compliant";
}

/** What the Kustomizations applied, and what that applied, and so on: those kinds that carry a state of Flux. */
function appliedBy(roots: ReadonlySet<string>, objects: readonly KubernetesObject[]): KubernetesObject[] {
  const [names, found] = [new Set(roots), new Set<KubernetesObject>()];
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const one of objects) {
      if (!names.has(ownersOf(one)?.name ?? "") || roots.has(one.metadata.name)) continue;
      found.add(one);
      if (one.kind === "Kustomization") names.add(one.metadata.name);
    }
  }
  return [...found];
}

/** The Kustomization that applied an object, by the labels that Flux gives to all it applies. */
function ownersOf({
  metadata: { labels = {} },
}: KubernetesObject): { name: string; namespace: string } | undefined {
  const name = labels["kustomize.toolkit.fluxcd.io/name"];
  const namespace = labels["kustomize.toolkit.fluxcd.io/namespace"];
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

function stateOf(object: KubernetesObject): State {
  if (asObject(object["spec"])["suspend"] === true) return "Suspended";
  const ready = readyOf(object);
  const observed = asObject(object["status"])["observedGeneration"];
  const behind = typeof observed === "number" && observed < Number(object.metadata["generation"] ?? 0);
  if (ready === undefined || behind || ready["status"] === "Unknown") return "Pending";
  if (ready["status"] === "True") return "Compliant";
  return ready["reason"] === "DependencyNotReady" ? "Pending" : "Non-Compliant";
}

function statusOf(object: KubernetesObject, owner: { name: string; namespace: string } | undefined): Json {
  const { name, namespace } = object.metadata;
  return {
    ...{ name, namespace, kind: object.kind, complianceState: stateOf(object) },
    ...(owner && { appliedBy: owner }),
    statusConditions: conditionsOf(object).map(({ type, status, reason, message, lastTransitionTime }) => ({
      ...{ type, status, reason, message, lastTransitionTime },
    })),
  };
}

function readyOf(object: KubernetesObject): Json | undefined {
  return conditionsOf(object).find(({ type }) => type === "Ready");
}

function conditionsOf(object: KubernetesObject): Json[] {
  const conditions = asObject(object["status"])["conditions"];
  return Array.isArray(conditions) ? conditions.map(asObject) : [];
}

/** Flux says `main@sha1:<id>`, and Azure `main/<id>`. */
function commitOf(source: KubernetesObject | undefined): string | null {
  const revision = asObject(asObject(source?.["status"])["artifact"])["revision"];
  return typeof revision === "string" ? revision.replace(/@sha(1|256):/, "/") : null;
}
