import type { Extension, FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { arcKey, type AzureAccess, configurationClient, inParallel, queryGraph } from "../status/index.ts";
import { existingQuery } from "./query.ts";

/** What Azure has of a cluster. */
export interface FoundInAzure {
  /** Id of the connected cluster. */
  readonly arcId: string;
  /** Id of the extension of type microsoft.flux. */
  readonly extension?: string;
  /** The Flux configuration of the fleet's name; `isOurs` where it is what Arcflux makes of this fleet file. */
  readonly configuration?: { readonly id: string; readonly isOurs: boolean };
}

/** Clusters that are asked for at once. */
const parallel = 8;

const clusterId =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Kubernetes\/connectedClusters\/([^/]+))/i;

/**
 * What Azure has of clusters, by their names in the fleet file; a cluster of which it has nothing is absent. Resource Graph
 * names those in question; since it is minutes old, Azure itself then has the last word on each. Rejects where Azure could
 * not be asked.
 */
export async function findInAzure(
  clusters: readonly Cluster[],
  { url }: Pick<Fleet["repository"], "url">,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundInAzure>> {
  const byKey = new Map(clusters.map((cluster) => [arcKey(cluster.arc), cluster]));
  const candidates = new Map<Cluster, Set<string>>();
  for (const query of existingQuery(clusters)) {
    for await (const { id } of queryGraph<{ readonly id: string }>(query, access, signal)) {
      const [, arcId = "", , group = "", name = ""] = clusterId.exec(id) ?? [];
      const cluster = byKey.get(arcKey({ resourceGroup: group, name }));
      if (cluster === undefined) continue;
      candidates.set(cluster, (candidates.get(cluster) ?? new Set()).add(arcId.toLowerCase()));
    }
  }
  const found = new Map<string, FoundInAzure>();
  await inParallel([...candidates], parallel, async ([cluster, ids]) => {
    const [arcId = "", other] = ids;
    if (other !== undefined)
      throw new Error(`several subscriptions have ${cluster.name}; set ARM_SUBSCRIPTION_ID to the right one`);
    const now = await readNow(cluster, arcId, url, access, signal);
    if (now !== undefined) found.set(cluster.name, now);
  });
  return found;
}

async function readNow(
  cluster: Cluster,
  arcId: string,
  url: string,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<FoundInAzure | undefined> {
  const client = await configurationClient(clusterId.exec(arcId)?.[2] ?? "", access);
  const place = ["Microsoft.Kubernetes", "connectedClusters", cluster.arc.name] as const;
  const group = cluster.arc.resourceGroup;
  const options = { abortSignal: signal };
  try {
    let extension: Extension | undefined;
    for await (const one of client.extensions.list(group, ...place, options))
      if (one.extensionType?.toLowerCase() === "microsoft.flux") extension = one;
    const configuration = await client.fluxConfigurations
      .get(group, ...place, cluster.config, options)
      .catch(nothingAt404);
    return {
      arcId: clusterId.exec(extension?.id ?? configuration?.id ?? "")?.[1] ?? arcId,
      ...(extension?.id !== undefined && { extension: extension.id }),
      ...(configuration?.id !== undefined && {
        configuration: { id: configuration.id, isOurs: isOurs(configuration, cluster, url) },
      }),
    };
  } catch (error) {
    return nothingAt404(error);
  }
}

/** Whether an update would change nothing that decides what runs on the cluster. */
function isOurs(configuration: FluxConfiguration, { fluxFolder }: Cluster, url: string): boolean {
  const { scope, namespace, kustomizations, gitRepository } = configuration;
  const [name, ...others] = Object.keys(kustomizations ?? {});
  return (
    scope === "cluster" &&
    namespace === fluxNamespace &&
    gitRepository?.url === url &&
    name === "bootstrap" &&
    others.length === 0 &&
    kustomizations?.["bootstrap"]?.path === `./${fluxFolder}`
  );
}

function nothingAt404(error: unknown): undefined {
  if ((error as { readonly statusCode?: number }).statusCode !== 404) throw error;
}
