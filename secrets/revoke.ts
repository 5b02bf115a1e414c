import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { secretRefs } from "../fleet/setSecrets.ts";
import { clusterKeySecret } from "../fleet/resolveSecrets.ts";
import {
  type AzureAccess,
  arcKey,
  armDelete,
  configurationClient,
  inTheirGroups,
  queryGraph,
  quotedInQuery,
} from "../status/index.ts";
import { clusterPlace, parseClusterId } from "../values/armId.ts";
import { placeText } from "./readValues.ts";

/** What a device that is in strange hands could read, by name: all of it has to be replaced where it was issued. */
export interface Readable {
  /** Secrets that went to it, each with the places of its values. */
  readonly secrets: readonly { readonly key: string; readonly places: readonly string[] }[];
  /** The credential that it reads the repository with, and how many clusters share it; undefined for a public one. */
  readonly repository?: { readonly place: string; readonly clusters: number };
  /** Secrets of flux-system that its sources, alerts and sets name and Arcflux did not bring, each with who names it. */
  readonly named: readonly { readonly name: string; readonly by: string }[];
  /** Other clusters that have its key, so that it reads what is encrypted for them. */
  readonly sameKey: readonly string[];
  /** Whether its key reads what is encrypted for any cluster. */
  readonly readsAll: boolean;
}

export function readableBy(cluster: Cluster, fleet: Fleet): Readable {
  const { access } = fleet.repository;
  const secrets = (cluster.secrets ?? []).map((secret) => ({
    key: secret.key,
    places: secret.deliver === "external" ? [] : Object.values(secret.keys).map(placeText),
  }));
  const { recipient } = cluster;
  const sameKey = fleet.clusters.filter(
    (one) => recipient !== undefined && one.name !== cluster.name && one.recipient === recipient,
  );
  const readable = {
    secrets,
    named: namedSecrets(cluster),
    sameKey: sameKey.map(({ name }) => name),
    readsAll: recipient !== undefined && cluster.coRecipients?.includes(recipient) === true,
  };
  if (access === "public") return readable;
  const common = { config: access === "token" ? "repositoryToken" : "repositorySshKey" };
  const placeOf = ({ credentials = common }: Cluster): string => placeText(credentials);
  const place = placeOf(cluster);
  const sharing = fleet.clusters.filter((one) => placeOf(one) === place).length;
  return { ...readable, repository: { place, clusters: sharing } };
}

function namedSecrets({ secrets = [], sources, alerts, sets }: Cluster): Readable["named"] {
  const brought = new Set(
    secrets.filter(({ namespace }) => namespace === fluxNamespace).map(({ name }) => name),
  );
  const holders = [
    ...sources.map((one) => [`source ${one.name}`, one.spec] as const),
    ...alerts.map((one) => [`alert ${one.name}`, one] as const),
    ...sets.map((one) => [`set ${one.name}`, one.spec] as const),
  ];
  return holders.flatMap(([by, spec]) =>
    [...new Set(secretRefs(spec))]
      .filter((name) => !brought.has(name) && name !== clusterKeySecret)
      .map((name) => ({ name, by })),
  );
}

const connectedVersion = "2021-10-01";

/** The Arc identities that a cluster has in Azure, as ids of its connected cluster: none where Azure has no such record. */
export async function arcIdentities(
  cluster: Cluster,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = [
    "resources",
    "| where type =~ 'microsoft.kubernetes/connectedclusters'",
    ...inTheirGroups([cluster]),
    `| where name =~ ${quotedInQuery(cluster.arc.name)}`,
    "| project id, name, resourceGroup",
    "| order by id asc",
  ].join("\n");
  const found: string[] = [];
  interface Row {
    readonly id: string;
    readonly name: string;
    readonly resourceGroup: string;
  }
  for await (const row of queryGraph<Row>(query, access, signal))
    if (arcKey(row) === arcKey(cluster.arc)) found.push(row.id);
  return found;
}

/**
 * Ends the identity of a cluster: what the device signs with is worth nothing from then on. Azure deletes the cluster only
 * behind what hangs on it, and that by force, since nobody waits for the device.
 */
export async function endIdentity(id: string, access: AzureAccess, signal: AbortSignal): Promise<void> {
  const parts = parseClusterId(id);
  const client = await configurationClient(parts.subscriptionId, access);
  const cluster = clusterPlace(parts);
  const how = { forceDelete: true, abortSignal: signal, updateIntervalInMs: 1000 };
  for await (const one of client.fluxConfigurations.list(...cluster, { abortSignal: signal }))
    await client.fluxConfigurations.beginDeleteAndWait(...cluster, one.name ?? "", how);
  for await (const one of client.extensions.list(...cluster, { abortSignal: signal }))
    await client.extensions.beginDeleteAndWait(...cluster, one.name ?? "", how);
  await armDelete(id, connectedVersion, access, signal);
}
