import type { Cluster } from "./model.ts";

/* Clusters that Cluster API makes: who makes them, and what of them is left to an update. */

/**
 * Whether an update brings a cluster its GitRepository and bootstrap, directly or by Azure. Else a pack of its management
 * cluster does, or it takes them from the repository itself.
 */
export function isBroughtByUpdate({ managedBy, flux }: Pick<Cluster, "managedBy" | "flux">): boolean {
  return managedBy === undefined && flux.syncsItself !== true;
}

/**
 * Whether an update reaches the cluster itself, and needs a kubeconfig for it. Behind Azure with agents that are there
 * already Azure is asked; what a management cluster makes gets Flux by a pack.
 */
export function isReached(cluster: Pick<Cluster, "platform" | "agents" | "managedBy" | "flux">): boolean {
  return cluster.agents === "install" || (cluster.platform === "kubernetes" && isBroughtByUpdate(cluster));
}

/** The label of a Cluster by which its pack finds it: the cluster's name in the fleet file. */
export const clusterLabel = "arcflux.io/cluster";

/** The folder of a management cluster, from the root, that `arcflux pack` writes to and one of its sets applies. */
export function packsFolder({ setsFolder }: Pick<Cluster, "setsFolder">): string {
  return `${setsFolder}/packs`;
}

/** The Secret that Cluster API makes beside a Cluster, with its kubeconfig under the key `value`. */
export function kubeconfigSecret({ name }: Pick<Cluster, "name">): string {
  return `${name}-kubeconfig`;
}
