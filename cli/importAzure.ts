import {
  azureQueries,
  type AzureRow,
  type AzureRows,
  clustersInAzure,
  importClusters,
} from "../import/index.ts";
import { azureAccess, azureNext, azureWords, queryGraph } from "../status/index.ts";
import { exitCodes } from "./exitCodes.ts";
import { type Rule, rules } from "../fleet/rules.ts";
import { show } from "../values/show.ts";
import { ImportError, type Input } from "./importInput.ts";

/** For all of a subscription, in milliseconds. */
const patience = 120_000;

/** What Azure has of the clusters of a subscription or resource group, in the name of whoever is signed in. Nothing is changed. */
export async function inputInAzure(
  subscription: string,
  resourceGroup: string | undefined,
  options: { readonly repositoryUrl?: string },
): Promise<Input> {
  const faults = [
    wrong("--subscription", subscription, rules.guid),
    ...(resourceGroup === undefined ? [] : [wrong("--resource-group", resourceGroup, rules.resourceGroup)]),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new ImportError(exitCodes.input, faults.join("\n"));
  const rows = await rowsOf(subscription, resourceGroup).catch((error: unknown) => {
    const why = azureWords(error);
    const message = `Azure could not be asked: ${why}. ${azureNext(error)}, and run it again.`;
    throw new ImportError(exitCodes.failed, message);
  });
  const { clusters, notTaken } = clustersInAzure(rows, options.repositoryUrl);
  return {
    imported: importClusters(clusters, options, notTaken),
    what: `subscription ${subscription}`,
    next: "Name a subscription or resource group that you may read, with Flux configurations on clusters of Azure Arc",
  };
}

function wrong(option: string, value: string, { pattern, allowed }: Rule): string | undefined {
  return pattern.test(value) ? undefined : `${option} ${show(value)} is not allowed; ${allowed}.`;
}

async function rowsOf(subscription: string, resourceGroup: string | undefined): Promise<AzureRows> {
  const access = { ...(await azureAccess(process.env)), subscriptions: [subscription] };
  const signal = AbortSignal.timeout(patience);
  const all = async (query: string): Promise<AzureRow[]> => {
    const rows: AzureRow[] = [];
    for await (const row of queryGraph<AzureRow>(query, access, signal)) rows.push(row);
    return rows;
  };
  const queries = azureQueries(resourceGroup);
  const [clusters, configurations, extensions] = await Promise.all([
    all(queries.clusters),
    all(queries.configurations),
    all(queries.extensions),
  ]);
  return { clusters, configurations, extensions };
}
