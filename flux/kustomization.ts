import {
  type ClusterSet,
  type Dependency,
  fluxNamespace,
  namespaceOf,
  type SourceRef,
} from "../fleet/model.ts";
import { ordered, sortedNames } from "./ordered.ts";
import type { YamlMap, YamlValue } from "./yaml.ts";

export const kustomizationApi = {
  apiVersion: "kustomize.toolkit.fluxcd.io/v1",
  kind: "Kustomization",
} as const;

/** Annotations of a generated Kustomization that say when it changes, and why it is suspended in Git. */
export const setAnnotations = {
  /** The maintenance window that it changes in. */
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
 * The Kustomization of one set. Fields this version does not know come last, sorted. `suspend: false` is never written,
 * since Flux would put it back at every reconcile, over whoever suspends the set by hand.
 */
export function renderKustomization(set: ClusterSet): Kustomization {
  const namespace = namespaceOf(set);
  return {
    ...kustomizationApi,
    metadata: {
      name: set.name,
      namespace,
      labels: sortedNames(set.labels),
      annotations: sortedNames({ ...set.annotations, ...whySuspended(set) }),
    },
    spec: ordered(
      {
        ...set.spec,
        sourceRef: { ...reached(set.sourceRef, namespace) },
        suspend: set.suspension !== undefined ? true : undefined,
        dependsOn:
          set.dependsOn.length > 0
            ? set.dependsOn.map((entry) => dependency(reached(entry, namespace)))
            : undefined,
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

/** A name without a namespace is one of flux-system to us, and one of the Kustomization's own to Flux. */
function reached<T extends Dependency | SourceRef>(reference: T, from: string): T {
  if (from === fluxNamespace || reference.namespace !== undefined) return reference;
  return { ...reference, namespace: fluxNamespace };
}

/** That the entry is none of our sets is a mark for the checks, and nothing Flux knows. */
function dependency({ name, namespace, readyExpr }: Dependency) {
  return { name, namespace, readyExpr };
}
