import type { Cluster } from "../fleet/model.ts";
import { arcKey, type AzureAccess, queryGraph } from "../status/index.ts";
import { existingQuery, type ExistingRow } from "./query.ts";

/**
 * What Resource Graph knows of clusters, by their names in the fleet file: one query for all, by pages. It is minutes old.
 * A cluster of which it has nothing is absent; several rows are of several subscriptions. Rejects where it cannot be asked.
 */
export async function askGraph(
  clusters: readonly Cluster[],
  access: AzureAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly ExistingRow[]>> {
  const byKey = new Map(clusters.map((cluster) => [arcKey(cluster.arc), cluster]));
  const found = new Map<string, ExistingRow[]>();
  const query = existingQuery(clusters[0]?.config ?? "", clusters);
  for await (const row of queryGraph<ExistingRow>(query, access, signal)) {
    const cluster = byKey.get(arcKey(row));
    if (cluster === undefined) continue;
    found.set(cluster.name, [...(found.get(cluster.name) ?? []), row]);
  }
  return found;
}
