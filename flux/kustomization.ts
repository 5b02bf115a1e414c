import type { Cluster, ClusterSet } from "../fleet/model.ts";
import type { YamlValue } from "./yaml.ts";

/** Namespace of every generated object, which is the one that Azure's Flux extension works in. */
export const fluxNamespace = "flux-system";

/** A Flux Kustomization as a plain object; fields that nothing sets are undefined. */
export interface Kustomization {
  readonly [key: string]: YamlValue | undefined;
  readonly metadata: {
    readonly [key: string]: YamlValue | undefined;
    readonly name: string;
    readonly namespace: string;
  };
  readonly spec: { readonly [key: string]: YamlValue | undefined };
}

/** The Kustomization of one set of one cluster. The fields of its spec stand in the order of Flux's documentation. */
export function renderKustomization(set: ClusterSet, cluster: Cluster): Kustomization {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: {
      name: set.name,
      namespace: fluxNamespace,
      labels: sorted(set.labels),
      annotations: sorted(set.annotations),
    },
    spec: {
      sourceRef: { kind: "GitRepository", name: cluster.config },
      prune: set.prune,
      interval: set.interval,
      retryInterval: set.retryInterval,
      path: set.path,
      targetNamespace: set.targetNamespace,
      wait: set.wait,
      timeout: set.timeout,
      dependsOn: set.dependsOn.length > 0 ? set.dependsOn.map((name) => ({ name })) : undefined,
      postBuild: postBuild(set),
      force: set.force,
    },
  };
}

function postBuild({ substitute }: ClusterSet): YamlValue | undefined {
  const variables = sorted(substitute);
  return variables && { substitute: variables };
}

/** The map with its keys sorted, so that their order in the fleet file changes no byte; undefined when it is empty. */
function sorted(map: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const keys = Object.keys(map);
  if (keys.length === 0) return undefined;
  return Object.fromEntries(keys.sort().map((key) => [key, map[key]!]));
}
