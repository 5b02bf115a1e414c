import { setTimeout as sleep } from "node:timers/promises";
import { type AzureAccess, configurationClient } from "../status/index.ts";
import { clusterPlace, parseClusterId } from "../values/armId.ts";
import { overConflicts } from "../values/azureConflict.ts";

/** What of the inputs of azure-native stands in the path of the request. */
const inPath = new Set([
  ...["resourceGroupName", "clusterRp", "clusterResourceName", "clusterName"],
  ...["extensionName", "fluxConfigurationName"],
]);

/** Azure takes up to an hour, in milliseconds. */
const patience = 60 * 60_000;

/**
 * Brings an extension or a Flux configuration that is in Azure to what is wanted, in the words of azure-native, and waits
 * until it is. Rejects with Azure's own error.
 */
export async function bring(
  id: string,
  wanted: Readonly<Record<string, unknown>>,
  access: AzureAccess,
): Promise<void> {
  const { subscriptionId, child = { type: "", name: "" }, ...cluster } = parseClusterId(id);
  const client = await configurationClient(subscriptionId, access);
  const body = Object.fromEntries(Object.entries(wanted).filter(([key]) => !inPath.has(key)));
  const place = [...clusterPlace(cluster), child.name] as const;
  const options = { abortSignal: AbortSignal.timeout(patience) };
  const isExtension = child.type.toLowerCase() === "extensions";
  await overConflicts(
    async () =>
      isExtension
        ? client.extensions.beginCreateAndWait(...place, body, options)
        : client.fluxConfigurations.beginCreateOrUpdateAndWait(...place, body, options),
    (seconds) => sleep(seconds * 1000),
  );
}
