import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

import { type Leaving, onCluster } from "./leaving.ts";

/** How Pulumi reaches a cluster. */
export interface KubernetesAccess extends Leaving {
  /** Content of a kubeconfig. Defaults to the user's own kubeconfig. */
  readonly kubeconfig?: pulumi.Input<string>;
  /** Context in the kubeconfig. Defaults to its current context. */
  readonly context?: pulumi.Input<string>;
}

/** The Kubernetes provider of one cluster, as a child of the component that uses it. */
export function kubernetesProvider(
  name: string,
  { kubeconfig, context, lifecycle }: KubernetesAccess,
  parent: pulumi.Resource,
): kubernetes.Provider {
  return new kubernetes.Provider(
    `${name}-kubernetes`,
    {
      // Who the cluster is. Without it a new context or kubeconfig counts as another cluster, and all on it is replaced.
      clusterIdentifier: name,
      // One cluster that is off ends no refresh: what it has is taken as it was, with a warning that names it.
      skipUpdateUnreachable: true,
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    },
    { parent, ...onCluster({ ...(lifecycle && { lifecycle }) }) },
  );
}
