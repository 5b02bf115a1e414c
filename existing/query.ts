import type { Cluster } from "../fleet/model.ts";
import { inTheirGroups } from "../status/index.ts";

/**
 * Queries of Resource Graph for what clusters have in Azure, each row an `id` at or below that of a connected cluster. It
 * writes types in lower case, and the fields of extensions with a capital, so that both spellings are asked for.
 */
export function existingQuery(clusters: readonly Cluster[]): string[] {
  const rest = [...inTheirGroups(clusters), "| project id", "| order by id asc"];
  const installs = clusters.some(({ agents }) => agents === "install");
  return [
    [
      "kubernetesconfigurationresources",
      "| where type =~ 'microsoft.kubernetesconfiguration/fluxconfigurations' or properties.ExtensionType =~ 'microsoft.flux' or properties.extensionType =~ 'microsoft.flux'",
      ...rest,
    ],
    // A cluster that is to be connected must not be there yet; one that is present always is.
    ...(installs ? [["resources", "| where type =~ 'microsoft.kubernetes/connectedclusters'", ...rest]] : []),
  ].map((lines) => lines.join("\n"));
}
