import type { KubernetesObject } from "../../cluster/clusterApi.ts";
import type { AgentConfiguration } from "../http/agentProtocol.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import { kustomizationName, namespaceOf } from "./renderConfiguration.ts";

export type Compliance = "Compliant" | "Non-Compliant" | "Pending" | "Suspended";

interface Owner {
  readonly name: string;
  readonly namespace: string;
}

/**
 * What Azure says of a configuration, from the Flux objects of the cluster: its own, and all that these have applied, in
 * turn. An own one that is missing is named in `errorMessage`.
 */
export function configurationStatus(
  configuration: AgentConfiguration,
  objects: readonly KubernetesObject[],
): Json {
  const { name, properties } = configuration;
  const namespace = namespaceOf(configuration);
  const keys = Object.keys(asObject(properties["kustomizations"]));
  const wanted = [
    { kind: "GitRepository", name },
    ...keys.map((key) => ({ kind: "Kustomization", name: kustomizationName(name, key) })),
  ];
  const find = (one: { kind: string; name: string }): KubernetesObject | undefined =>
    objects.find(
      ({ kind, metadata }) =>
        kind === one.kind && metadata.name === one.name && metadata.namespace === namespace,
    );
  const own = wanted.flatMap((one) => find(one) ?? []);
  const missing = wanted.filter((one) => find(one) === undefined);
  const applied = appliedBy(own, objects);
  const statuses = [
    ...own.map((object) => objectStatus(object, null)),
    ...applied.map(({ object, owner }) => objectStatus(object, owner)),
  ];
  const artifact = asObject(asObject(find({ kind: "GitRepository", name })?.["status"])["artifact"]);
  const errorMessage =
    missing.length === 0
      ? ""
      : `${missing.map((one) => `${one.kind} ${one.name}`).join(" and ")} is not on the cluster any more. An update of the configuration makes it anew.`;
  return {
    complianceState: overall(
      properties["suspend"] === true,
      errorMessage,
      statuses.map(({ complianceState }) => complianceState),
    ),
    errorMessage,
    statuses,
    sourceSyncedCommitId: commitId(artifact["revision"]),
    sourceUpdatedAt: artifact["lastUpdateTime"] ?? null,
  };
}

/** Flux says `main@sha1:abc`, Azure `main/abc`. */
function commitId(revision: unknown): string | null {
  return typeof revision === "string" ? revision.replace(/@sha\d+:/, "/") : null;
}

/** Objects that Kustomizations among `from` have applied, and those that these have applied, each with who did it. */
function appliedBy(
  from: readonly KubernetesObject[],
  objects: readonly KubernetesObject[],
): readonly { readonly object: KubernetesObject; readonly owner: Owner }[] {
  const found: { object: KubernetesObject; owner: Owner }[] = [];
  const seen = new Set(from);
  const queue = from.filter(({ kind }) => kind === "Kustomization");
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { name, namespace = "" } = next.metadata;
    for (const object of objects) {
      const { labels = {} } = object.metadata;
      const isIts =
        labels["kustomize.toolkit.fluxcd.io/name"] === name &&
        labels["kustomize.toolkit.fluxcd.io/namespace"] === namespace;
      if (!isIts || seen.has(object)) continue;
      seen.add(object);
      found.push({ object, owner: { name, namespace } });
      if (object.kind === "Kustomization") queue.push(object);
    }
  }
  return found;
}

function objectStatus(object: KubernetesObject, owner: Owner | null) {
  const { name, namespace } = object.metadata;
  return {
    name,
    namespace: namespace ?? null,
    kind: object.kind,
    complianceState: complianceOf(object),
    appliedBy: owner,
    helmReleaseProperties: object.kind === "HelmRelease" ? helmProperties(object) : null,
    statusConditions: conditionsOf(object).map(({ type, status, reason, message, lastTransitionTime }) => ({
      ...{ type, status, reason, message, lastTransitionTime },
    })),
  };
}

/** From Flux's condition Ready; one of an earlier generation says nothing about this one. */
export function complianceOf(object: KubernetesObject): Compliance {
  if (asObject(object["spec"])["suspend"] === true) return "Suspended";
  const ready = conditionsOf(object).find(({ type }) => type === "Ready");
  const { generation } = object.metadata;
  const observed = ready?.["observedGeneration"] ?? generation;
  if (ready === undefined || observed !== generation) return "Pending";
  if (ready["status"] === "True") return "Compliant";
  return ready["status"] === "False" ? "Non-Compliant" : "Pending";
}

/** A suspended set, such as one outside its window, does not keep the whole from being compliant. */
function overall(suspended: boolean, error: string, states: readonly Compliance[]): Compliance {
  if (suspended) return "Suspended";
  if (error !== "" || states.includes("Non-Compliant")) return "Non-Compliant";
  return states.includes("Pending") ? "Pending" : "Compliant";
}

function helmProperties(object: KubernetesObject): Json {
  const status = asObject(object["status"]);
  const chart = typeof status["helmChart"] === "string" ? status["helmChart"] : "";
  const [namespace, name] = chart.split("/");
  return {
    failureCount: status["failures"] ?? 0,
    helmChartRef: name === undefined ? null : { name, namespace },
    installFailureCount: status["installFailures"] ?? 0,
    upgradeFailureCount: status["upgradeFailures"] ?? 0,
    lastRevisionApplied: null,
  };
}

function conditionsOf(object: KubernetesObject): Json[] {
  const { conditions } = asObject(object["status"]);
  return Array.isArray(conditions) ? conditions.map(asObject) : [];
}
