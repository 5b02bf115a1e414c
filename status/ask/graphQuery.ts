import type { Arc, Cluster } from "../../fleet/model.ts";
import type { AzureAccess } from "./azureAccess.ts";
import { quotedInQuery } from "./azureClients.ts";

/** One row of the answer: a connected cluster with its Flux configuration and extension, each field null where Azure has none. */
export interface GraphRow {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly connectivity: string | null;
  readonly lastSeen: string | null;
  readonly certificateEnds: string | null;
  readonly configuration: string | null;
  readonly compliance: string | null;
  /** Of the bootstrap, as the configuration has it. */
  readonly path: string | null;
  readonly fault: string | null;
  readonly toldAt: string | null;
  readonly statuses: readonly Readonly<Record<string, unknown>>[] | null;
  readonly extensionState: string | null;
  readonly extensionVersion: string | null;
  /** Why the extension failed, in its own words. */
  readonly extensionError?: string | null;
}

/** So many names may stand in a condition; beyond it all that the caller may read is asked for. */
const mostGroups = 100;

/** The line of a query that keeps to the resource groups of clusters, where these are few. */
export function inTheirGroups(clusters: readonly Pick<Cluster, "arc">[]): string[] {
  const groups = [...new Set(clusters.map(({ arc }) => arc.resourceGroup.toLowerCase()))].sort();
  const few = groups.length > 0 && groups.length <= mostGroups;
  return few ? [`| where resourceGroup in~ (${groups.map(quotedInQuery).join(", ")})`] : [];
}

/** By which Azure knows a connected cluster in a subscription: it takes upper and lower case for one. */
export function arcKey({ resourceGroup, name }: Pick<Arc, "resourceGroup" | "name">): string {
  return `${resourceGroup}/${name}`.toLowerCase();
}

/** Whether an id of Azure is in the subscription of a cluster; in any, where the fleet file names none. */
export function isInSubscription(id: string, { subscription }: Pick<Arc, "subscription">): boolean {
  return (
    subscription === undefined || id.toLowerCase().startsWith(`/subscriptions/${subscription.toLowerCase()}/`)
  );
}

/** The access that looks in the subscriptions of clusters too. */
export function reaching(clusters: readonly Pick<Cluster, "arc">[], access: AzureAccess): AzureAccess {
  // Without any, Azure looks in all that the login may read.
  if (access.subscriptions.length === 0) return access;
  const stated = clusters.flatMap(({ arc }) => arc.subscription ?? []);
  return { ...access, subscriptions: [...new Set([...access.subscriptions, ...stated])] };
}

/**
 * The one query for all clusters. Resource Graph writes types in lower case, and the fields of extensions with a capital,
 * so that both spellings are asked for. `id` is among the fields, and the order fixed: paging needs both.
 */
export function graphQuery(config: string, clusters: readonly Pick<Cluster, "arc">[]): string {
  return [
    "resources",
    "| where type =~ 'microsoft.kubernetes/connectedclusters'",
    ...inTheirGroups(clusters),
    "| project id, name, resourceGroup, key = tolower(id), connectivity = tostring(properties.connectivityStatus), lastSeen = tostring(properties.lastConnectivityTime), certificateEnds = tostring(properties.managedIdentityCertificateExpirationTime)",
    "| join kind=leftouter (",
    "  kubernetesconfigurationresources",
    "  | where type =~ 'microsoft.kubernetesconfiguration/fluxconfigurations'",
    `  | where name =~ ${quotedInQuery(config)}`,
    "  | project key = tostring(split(tolower(id), '/providers/microsoft.kubernetesconfiguration/')[0]), configuration = name, compliance = tostring(properties.complianceState), path = tostring(properties.kustomizations.bootstrap.path), fault = tostring(properties.errorMessage), toldAt = tostring(properties.statusUpdatedAt), statuses = properties.statuses",
    ") on key",
    "| join kind=leftouter (",
    "  kubernetesconfigurationresources",
    "  | where type =~ 'microsoft.kubernetesconfiguration/extensions'",
    "  | where properties.ExtensionType =~ 'microsoft.flux' or properties.extensionType =~ 'microsoft.flux'",
    "  | project key = tostring(split(tolower(id), '/providers/microsoft.kubernetesconfiguration/')[0]), extensionState = coalesce(tostring(properties.ProvisioningState), tostring(properties.provisioningState)), extensionVersion = coalesce(tostring(properties.CurrentVersion), tostring(properties.currentVersion)), extensionError = coalesce(tostring(properties.ErrorInfo.Message), tostring(properties.ErrorInfo.message), tostring(properties.errorInfo.message))",
    ") on key",
    "| project id, name, resourceGroup, connectivity, lastSeen, certificateEnds, configuration, compliance, path, fault, toldAt, statuses, extensionState, extensionVersion, extensionError",
    "| order by id asc",
  ].join("\n");
}
