import type { Extension, FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { type AzureAccess, configurationClient, inParallel } from "../status/index.ts";
import { clusterPlace, parseClusterId } from "../values/armId.ts";
import { isSameRepository } from "../values/repositoryUrl.ts";
import { overlap, type Running } from "./overlaps.ts";
import type { ExistingRow } from "./query.ts";

/** What Azure has of a cluster. */
export interface FoundInAzure {
  /** Id of the connected cluster. */
  readonly arcId: string;
  /** Id of the extension of type microsoft.flux. */
  readonly extension?: string;
  /** The Flux configuration of the fleet's name; `isOurs` where it is what Arcflux makes of this fleet file. */
  readonly configuration?: { readonly id: string; readonly isOurs: boolean };
  /** What another configuration applies of the cluster's own, in words. */
  readonly overlap?: string;
}

/** Clusters that are asked for at once. */
const parallel = 8;

/**
 * What Azure has of clusters, by their names in the fleet file; a cluster of which it has nothing is absent. `rows` is what
 * Resource Graph knows of them; since that is minutes old, Azure itself has the last word on each that it names. Rejects
 * where Azure could not be asked.
 */
export async function findInAzure(
  clusters: readonly Cluster[],
  rows: ReadonlyMap<string, readonly ExistingRow[]>,
  { url }: Pick<Fleet["repository"], "url">,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FoundInAzure>> {
  const found = new Map<string, FoundInAzure>();
  await inParallel(clusters, parallel, async (cluster) => {
    const row = onlyRow(cluster, rows);
    // A cluster that is to be connected must not be there yet; one that is present always is.
    if (row === undefined || (cluster.agents === "present" && !row.extension && !row.configuration)) return;
    const now = await readNow(cluster, row.id, url, access, signal);
    if (now !== undefined) found.set(cluster.name, now);
  });
  return found;
}

/** The one row of a cluster. Throws where several subscriptions have it. */
function onlyRow(
  { name }: Cluster,
  rows: ReadonlyMap<string, readonly ExistingRow[]>,
): ExistingRow | undefined {
  const [row, other] = rows.get(name) ?? [];
  if (other !== undefined)
    throw new Error(`several subscriptions have ${name}; write the right one as arc.subscription`);
  return row;
}

async function readNow(
  cluster: Cluster,
  arcId: string,
  url: string,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<FoundInAzure | undefined> {
  const client = await configurationClient(parseClusterId(arcId).subscriptionId, access);
  const place = clusterPlace(cluster.arc);
  const options = { abortSignal: signal };
  try {
    let extension: Extension | undefined;
    for await (const one of client.extensions.list(...place, options))
      if (one.extensionType?.toLowerCase() === "microsoft.flux") extension = one;
    const all: FluxConfiguration[] = [];
    for await (const one of client.fluxConfigurations.list(...place, options)) all.push(one);
    const configuration = all.find(({ name }) => name === cluster.config);
    const others = all.filter((one) => one !== configuration && one.suspend !== true);
    const double = overlap(
      cluster,
      others.flatMap((one) => runningIn(one, url)),
    );
    return {
      arcId: parseClusterId(extension?.id ?? configuration?.id ?? arcId).arcId,
      ...(extension?.id !== undefined && { extension: extension.id }),
      ...(configuration?.id !== undefined && {
        configuration: { id: configuration.id, isOurs: isOurs(configuration, cluster, url) },
      }),
      ...(double !== undefined && { overlap: double }),
    };
  } catch (error) {
    return nothingAt404(error);
  }
}

/** What a configuration applies of the fleet's repository. */
function runningIn({ name = "", gitRepository, kustomizations }: FluxConfiguration, url: string): Running[] {
  if (!isSameRepository(gitRepository?.url ?? "", url)) return [];
  return Object.values(kustomizations ?? {}).map((one) => ({
    label: `Azure's configuration ${name}`,
    path: one?.path ?? "./",
  }));
}

/** Whether the Flux configuration of a cluster is suspended now, as Azure itself says; one that is not there is not. */
export async function readSuspended(
  { arc, config }: Cluster,
  arcId: string,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<boolean> {
  const client = await configurationClient(parseClusterId(arcId).subscriptionId, access);
  const place = [...clusterPlace(arc), config] as const;
  const found = await client.fluxConfigurations.get(...place, { abortSignal: signal }).catch(nothingAt404);
  return found?.suspend === true;
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
