import type { Cluster } from "../fleet/model.ts";
import { type AzureAccess, armReader, inParallel, onlySubscription } from "../status/index.ts";
import { showSome } from "../values/show.ts";
import type { ExistingRow } from "./query.ts";

/** Clusters that Azure cannot bring Flux to now, by their names in the fleet file. */
export interface Unconnected {
  /** Azure has no connected cluster of the name. */
  readonly absent: readonly string[];
  /** The connected cluster is there, and its agents are not; with what Azure calls it: `Offline`. */
  readonly away: ReadonlyMap<string, string>;
}

/** Clusters that are asked for at once. */
const parallel = 16;
const apiVersion = "2021-10-01";

/**
 * Which of these clusters are not connected. `rows` is what Resource Graph knows; what it does not name, and it is minutes old,
 * Azure itself is asked for where the subscription is known. Rejects where Azure could not be asked.
 */
export async function findUnconnected(
  clusters: readonly Cluster[],
  rows: ReadonlyMap<string, readonly ExistingRow[]>,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<Unconnected> {
  const absent = new Set<string>();
  const away = new Map<string, string>();
  const note = (name: string, connectivity: string | null | undefined): void => {
    if (connectivity && connectivity !== "Connected") away.set(name, connectivity);
  };
  const unnamed = clusters.filter(({ name }) => !rows.has(name));
  for (const { name } of clusters) note(name, rows.get(name)?.[0]?.connectivity);
  if (unnamed.length === 0) return { absent: [], away };
  const get = await armReader(access, signal);
  const isStated =
    access.subscriptions.length > 0 || unnamed.every(({ arc }) => arc.subscription !== undefined);
  const usual =
    access.subscriptions[0] ?? (isStated ? undefined : (await onlySubscription(get))?.subscriptionId);
  await inParallel(unnamed, parallel, async ({ name, arc }) => {
    const subscription = arc.subscription ?? usual;
    if (subscription === undefined) return;
    const id = `/subscriptions/${subscription}/resourceGroups/${arc.resourceGroup}/providers/Microsoft.Kubernetes/connectedClusters/${arc.name}`;
    try {
      const found = await get<{ properties?: { connectivityStatus?: string } }>(id, apiVersion);
      note(name, found.properties?.connectivityStatus);
    } catch (error) {
      if ((error as { readonly statusCode?: number }).statusCode !== 404) throw error;
      absent.add(name);
    }
  });
  return { absent: clusters.flatMap(({ name }) => (absent.has(name) ? name : [])), away };
}

/** What is wrong, each said once for all clusters, and the way on. */
export function unconnectedFaults(
  { absent, away }: Unconnected,
  clusters: readonly Pick<Cluster, "name" | "arc">[],
): { readonly text: string; readonly mend: string }[] {
  const arcOf = new Map(clusters.map(({ name, arc }) => [name, arc]));
  const arc = arcOf.get(absent[0] ?? "");
  return [
    ...(arc === undefined
      ? []
      : [
          {
            text: `${showSome(absent)}: Azure has no connected cluster ${arc.name} in ${arc.resourceGroup}`,
            mend: `Connect it (az connectedk8s connect --name ${arc.name} --resource-group ${arc.resourceGroup}), or correct arc.name, arc.resourceGroup or arc.subscription`,
          },
        ]),
    ...[...Map.groupBy(away, ([, state]) => state)].map(([state, some]) => ({
      text: `${showSome(some.map(([name]) => name))}: the connected cluster is in Azure, and its agents are not running (${state})`,
      mend: "Look at them there: kubectl -n azure-arc get pods",
    })),
  ];
}
