import { isDeepStrictEqual } from "node:util";
import type { YamlMap } from "../values/maps.ts";
import type { AzureCluster, ReadCluster } from "./readCluster.ts";

/** What a fleet file says of Azure: once for all clusters, and what differs at each. */
export interface AzureHead {
  readonly arc: YamlMap;
  readonly lockdown: boolean;
  readonly of: (cluster: Pick<ReadCluster, "azure">) => YamlMap;
}

/** Fields that a fleet may say for all its clusters. */
const common = ["subscription", "resourceGroup", "location", "extension"] as const;

/** Undefined for clusters that are not behind Azure. What most clusters have alike stands at the top. */
export function azureHead(clusters: readonly Pick<ReadCluster, "azure">[]): AzureHead | undefined {
  const found = clusters.flatMap(({ azure }) => azure ?? []);
  if (found.length === 0) return undefined;
  const required = new Set(["resourceGroup", "location"]);
  const arc = Object.fromEntries(
    common.flatMap((field) => {
      const value = mostFrequent(found.map((one) => one.arc[field]));
      // A cluster cannot take away what the fleet says, so that all must have it.
      const isAllowed = required.has(field) || found.every((one) => one.arc[field] !== undefined);
      return value !== undefined && isAllowed ? [[field, value]] : [];
    }),
  );
  const lockdown = mostFrequent(found.map((one) => one.lockdown)) ?? true;
  const own = ({ arc: fields, lockdown: locked }: AzureCluster): YamlMap => {
    const rest = Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(arc[field], value));
    return {
      agents: "present",
      adopt: true,
      ...(rest.length > 0 && { arc: Object.fromEntries(rest) }),
      ...(locked !== lockdown && { flux: { lockdown: locked } }),
    };
  };
  return { arc, lockdown, of: ({ azure }) => (azure === undefined ? {} : own(azure)) };
}

function mostFrequent<T>(values: readonly T[]): T | undefined {
  const counts = Map.groupBy(values, (value) => JSON.stringify(value));
  const [most] = [...counts.values()].sort((one, other) => other.length - one.length);
  return most?.[0];
}
