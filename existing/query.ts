import type { Cluster } from "../fleet/model.ts";
import { inTheirGroups, quotedInQuery } from "../status/index.ts";

/** One row of the answer: what Azure has of a connected cluster, each field null where it has none. */
export interface ExistingRow {
  /** Id of the connected cluster. */
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly location: string | null;
  /** Whether its agents answer: Connecting, Connected, Offline or Expired. */
  readonly connectivity: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** Ids of the extension of type microsoft.flux and of the Flux configuration of the fleet's name. */
  readonly extension: string | null;
  readonly configuration: string | null;
  /** `true` where the configuration is suspended. */
  readonly suspended: string | null;
  /** When the cluster last told how the configuration fares; ISO. */
  readonly toldAt: string | null;
}

const ofCluster = "key = tostring(split(tolower(id), '/providers/microsoft.kubernetesconfiguration/')[0])";

/**
 * The one query of Resource Graph for what clusters have in Azure. It writes types in lower case, and the fields of extensions
 * with a capital, so that both spellings are asked for.
 */
export function existingQuery(config: string, clusters: readonly Cluster[]): string {
  return [
    "resources",
    "| where type =~ 'microsoft.kubernetes/connectedclusters'",
    ...inTheirGroups(clusters),
    "| project id, name, resourceGroup, location, tags, key = tolower(id), connectivity = tostring(properties.connectivityStatus)",
    "| join kind=leftouter (",
    "  kubernetesconfigurationresources",
    "  | where type =~ 'microsoft.kubernetesconfiguration/fluxconfigurations'",
    `  | where name =~ ${quotedInQuery(config)}`,
    `  | project ${ofCluster}, configuration = id, suspended = tostring(properties.suspend), toldAt = tostring(properties.statusUpdatedAt)`,
    ") on key",
    "| join kind=leftouter (",
    "  kubernetesconfigurationresources",
    "  | where type =~ 'microsoft.kubernetesconfiguration/extensions'",
    "  | where properties.ExtensionType =~ 'microsoft.flux' or properties.extensionType =~ 'microsoft.flux'",
    `  | project ${ofCluster}, extension = id`,
    ") on key",
    "| project id, name, resourceGroup, location, tags, connectivity, extension, configuration, suspended, toldAt",
    "| order by id asc",
  ].join("\n");
}
