import type { Cluster, Repository } from "../fleet/model.ts";

/* What the fleet file says of a cluster, as components take it: for the program, and for a trial without an engine. */

/** Its name in Azure, which cannot be changed. */
function placeArgs({ arc }: Cluster) {
  return { clusterName: arc.name, resourceGroupName: arc.resourceGroup };
}

/** How it is connected to Azure Arc. */
export function connectArgs(cluster: Cluster) {
  const { location, tags, connection } = cluster.arc;
  return { ...placeArgs(cluster), location, tags, connection };
}

/** The Flux extension that Azure installs on it. */
export function extensionArgs(cluster: Cluster) {
  const { flux, arc } = cluster;
  return {
    ...placeArgs(cluster),
    lockdown: flux.lockdown,
    ...(arc.extension && { extension: arc.extension }),
  };
}

/** Where it fetches from and what it applies first, by Azure or by objects on the cluster itself. */
export function bootstrapArgs(cluster: Cluster, { url }: Pick<Repository, "url">) {
  const { config, follows, fluxFolder, bootstrap, fetchInterval } = cluster;
  return {
    configurationName: config,
    repository: url,
    branch: follows,
    fluxFolder,
    bootstrap,
    fetchInterval,
    suspend: suspendsBootstrap(cluster),
  };
}

/** Whether the fleet file suspends the bootstrap where it is made, and not by files in Git alone. */
export function suspendsBootstrap({ suspension }: Cluster): boolean {
  return suspension !== undefined && suspension.through !== "git";
}
