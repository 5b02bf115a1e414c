import type { Cluster } from "../fleet/model.ts";
import { arcKey, type AzureAccess, isInSubscription, queryGraph, reaching } from "../status/index.ts";
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
  const byKey = Map.groupBy(clusters, ({ arc }) => arcKey(arc));
  const found = new Map<string, ExistingRow[]>();
  const query = existingQuery(clusters[0]?.config ?? "", clusters);
  for await (const row of queryGraph<ExistingRow>(query, reaching(clusters, access), signal)) {
    for (const { name, arc } of byKey.get(arcKey(row)) ?? [])
      if (isInSubscription(row.id, arc)) found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}
