import { quotedInQuery } from "../../status/index.ts";

/** A resource as Resource Graph has it. */
export interface AzureRow {
  readonly id: string;
  readonly location?: string | null;
  readonly tags?: Readonly<Record<string, string>> | null;
  /** Fields of extensions begin with a capital there. */
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

/** What is asked for of a subscription, each as one query. */
export interface AzureRows {
  readonly clusters: readonly AzureRow[];
  readonly configurations: readonly AzureRow[];
  readonly extensions: readonly AzureRow[];
}

/** Queries of Resource Graph for all that Azure knows of Flux, in one resource group or in all of a subscription. */
export function azureQueries(resourceGroup: string | undefined): Readonly<Record<keyof AzureRows, string>> {
  const inGroup =
    resourceGroup === undefined ? [] : [`| where resourceGroup =~ ${quotedInQuery(resourceGroup)}`];
  const query = (table: string, where: string, fields: string): string =>
    [table, `| where ${where}`, ...inGroup, `| project ${fields}`, "| order by id asc"].join("\n");
  const ofConfiguration = (type: string): string => `type =~ 'microsoft.kubernetesconfiguration/${type}'`;
  return {
    clusters: query("resources", "type =~ 'microsoft.kubernetes/connectedclusters'", "id, location, tags"),
    configurations: query(
      "kubernetesconfigurationresources",
      ofConfiguration("fluxconfigurations"),
      "id, properties",
    ),
    extensions: query("kubernetesconfigurationresources", ofConfiguration("extensions"), "id, properties"),
  };
}
