import type { Cluster } from "./model.ts";

/* Clusters that Cluster API makes: who makes them, and what of them is left to an update. */

/**
 * Whether an update reaches the cluster itself, and needs a kubeconfig for it. Behind Azure with agents that are there
 * already Azure is asked; what a management cluster makes gets Flux by a pack.
 */
export function isReached({
  platform,
  agents,
  managedBy,
}: Pick<Cluster, "platform" | "agents" | "managedBy">) {
  return agents === "install" || (platform === "kubernetes" && managedBy === undefined);
}

/** The folder of a management cluster, from the root, that `arcflux pack` writes to and one of its sets applies. */
export function packsFolder({ setsFolder }: Pick<Cluster, "setsFolder">): string {
  return `${setsFolder}/packs`;
}

/** The Secret that Cluster API makes beside a Cluster, with its kubeconfig under the key `value`. */
export function kubeconfigSecret({ name }: Pick<Cluster, "name">): string {
  return `${name}-kubeconfig`;
}
