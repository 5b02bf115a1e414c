import { type ClusterSet, type Dependency, fluxNamespace, isSuspended } from "../fleet/model.ts";
import { ordered, sortedNames } from "./ordered.ts";
import type { YamlMap, YamlValue } from "./yaml.ts";

export const kustomizationApi = {
  apiVersion: "kustomize.toolkit.fluxcd.io/v1",
  kind: "Kustomization",
} as const;

/** Annotations of a generated Kustomization that say why it is suspended in Git. */
export const setAnnotations = {
  /** The maintenance window that opens it. */
  window: "arcflux.io/window",
  suspendReason: "arcflux.io/suspend-reason",
  suspendUntil: "arcflux.io/suspend-until",
} as const;

/** Fields of the spec in the order of Flux's documentation. */
export const kustomizationFields = [
  "sourceRef",
  "prune",
  "deletionPolicy",
  "interval",
  "retryInterval",
  "path",
  "targetNamespace",
  "suspend",
  "healthChecks",
  "healthCheckExprs",
  "wait",
  "timeout",
  "dependsOn",
  "serviceAccountName",
  "commonMetadata",
  "namePrefix",
  "nameSuffix",
  "patches",
  "images",
  "buildMetadata",
  "components",
  "ignoreMissingComponents",
  "postBuild",
  "force",
  "ignore",
  "kubeConfig",
  "decryption",
] as const;

/** A Flux Kustomization as a plain object; fields that nothing sets are undefined. */
export interface Kustomization {
  readonly [key: string]: YamlValue | undefined;
  readonly metadata: {
    readonly [key: string]: YamlValue | undefined;
    readonly name: string;
    readonly namespace: string;
  };
  readonly spec: YamlMap;
}

/**
 * The Kustomization of one set. Fields this version does not know come last, sorted. A set with a window is suspended in
 * Git, and only its window opens it on the cluster; `suspend: false` is never written, since Flux would put it back at
 * every reconcile, into an open or closed window alike.
 */
export function renderKustomization(set: ClusterSet): Kustomization {
  return {
    ...kustomizationApi,
    metadata: {
      name: set.name,
      namespace: fluxNamespace,
      labels: sortedNames(set.labels),
      annotations: sortedNames({ ...set.annotations, ...whySuspended(set) }),
    },
    spec: ordered(
      {
        ...set.spec,
        sourceRef: { ...set.sourceRef },
        suspend: isSuspended(set) ? true : undefined,
        dependsOn: set.dependsOn.length > 0 ? set.dependsOn.map(dependency) : undefined,
      },
      kustomizationFields,
    ),
  };
}

function whySuspended({ window, suspension }: ClusterSet): Record<string, string> {
  return {
    ...(window !== undefined && { [setAnnotations.window]: window }),
    ...(suspension !== undefined && { [setAnnotations.suspendReason]: suspension.reason }),
    ...(suspension?.until !== undefined && { [setAnnotations.suspendUntil]: suspension.until }),
  };
}

/** That the entry is none of our sets is a mark for the checks, and nothing Flux knows. */
function dependency({ name, namespace, readyExpr }: Dependency) {
  return { name, namespace, readyExpr };
}
