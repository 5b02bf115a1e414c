import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { contextOf, askOptions } from "../status/index.ts";
import type { KubernetesApi } from "../status/index.ts";
import { probable } from "../values/nearest.ts";

import { UsageError } from "./fleetCommand.ts";

/** The cluster and set that a command names. Throws SelectionError or UsageError where there is none. */
export function namedSet(fleet: Fleet, name: string, set: string | undefined): Cluster {
  const [cluster] = selectClusters(fleet, { names: [name] });
  if (cluster === undefined) throw new UsageError(`${name} is not a cluster of the fleet file.`);
  const names = cluster.sets.map((each) => each.name);
  if (set === undefined || names.includes(set)) return cluster;
  const near = probable(set, names);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new UsageError(`${set} is not a set of ${name}.${meant} Its sets: ${names.join(", ") || "none"}.`);
}

/** The API of a cluster by the user's kubeconfig; undefined where that has no context for it. */
export function findApi(cluster: Cluster): Promise<KubernetesApi | undefined> {
  return askOptions(60).context(contextOf(cluster), new AbortController().signal);
}

/** The same where a command cannot do without. */
export async function openApi(cluster: Cluster): Promise<KubernetesApi> {
  const api = await findApi(cluster);
  if (api !== undefined) return api;
  const { name, arc, platform } = cluster;
  const next =
    platform === "arc"
      ? `Run az connectedk8s proxy --name ${name} --resource-group ${arc.resourceGroup} beside this, or name its context under kubeconfig.`
      : "Add the context to your kubeconfig, or correct it in the fleet file.";
  throw new UsageError(`Your kubeconfig has no context ${contextOf(cluster)} for ${name}. ${next}`);
}
