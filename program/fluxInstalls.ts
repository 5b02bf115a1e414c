import { ClusterError, inParallel } from "../status/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { type FluxManifests, othersFlux } from "../install/index.ts";
import { showSome } from "../values/show.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";
import { kubeconfigReader } from "./kubeconfigs.ts";

/** For one cluster, in milliseconds. One that does not answer fails by itself. */
const patience = 10_000;

const atOnce = 16;

/**
 * Why Flux cannot be installed on clusters that have none of ours yet: somebody else's is there. The same words for many
 * clusters are one fault.
 */
export async function foreignFlux(
  clusters: readonly Cluster[],
  manifestsOf: (cluster: Cluster) => FluxManifests | undefined,
  former: Readonly<Record<string, FormerCluster>>,
  owner: (cluster: Cluster) => string,
): Promise<string[]> {
  const due = clusters.filter(
    (one) =>
      one.lifecycle === "active" &&
      manifestsOf(one) !== undefined &&
      formerOf(one, former)?.flux === undefined,
  );
  if (due.length === 0) return [];
  const kubeconfigOf = await kubeconfigReader();
  const { openObjects } = await import("../status/ask/objectApi.ts");
  const found = new Map<string, string[]>();
  await inParallel(due, atOnce, async (cluster) => {
    try {
      const config = kubeconfigOf(cluster.kubeconfig);
      const api = config && openObjects(config, config.getCurrentContext(), patience);
      // Kinds are what every Flux has, wherever its controllers run.
      const kinds = manifestsOf(cluster)!.objects.filter(({ kind }) => kind === "CustomResourceDefinition");
      const fault = api && (await othersFlux(kinds.slice(0, 1), owner(cluster), api));
      if (fault !== undefined) found.set(fault, [...(found.get(fault) ?? []), cluster.name]);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
    }
  });
  return [...found].map(([fault, names]) => `${showSome(names.sort())}: ${fault}`);
}
