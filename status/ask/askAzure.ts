import type { FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import type { Cluster } from "../../fleet/model.ts";
import { clusterPlace, parseClusterId } from "../../values/armId.ts";
import { fluxOfExtension } from "../../values/fluxVersions.ts";
import type { Evidence, Told } from "../evidence.ts";
import { azureObject, folderOf } from "../fluxObject.ts";
import type { AzureAccess } from "./azureAccess.ts";
import { azureWords, configurationClient, queryGraph } from "./azureClients.ts";
import { arcKey, graphQuery, type GraphRow, isInSubscription, reaching } from "./graphQuery.ts";
import { inParallel } from "./inParallel.ts";

/** What Azure told. */
export interface FromAzure {
  /** By name of the cluster; one that Azure does not know is absent. */
  readonly told: ReadonlyMap<string, Told>;
  /** End of the certificate of the cluster's Arc identity, ISO, by name. */
  readonly certificates: ReadonlyMap<string, string>;
  /** When a cluster last told how its configuration fares, ISO, by name; null where it never did. */
  readonly toldAt: ReadonlyMap<string, string | null>;
  /** Why some or all could not be asked. */
  readonly faults: readonly string[];
}

/** Details asked for at once; Azure counts requests by the subscription. */
const parallel = 8;

/**
 * Asks Azure about clusters: one query of Resource Graph for all, by pages, then the configurations themselves of those
 * that are not compliant, since the graph is minutes old. What could not be asked by the time `signal` fires is left out,
 * and said. Never rejects for what Azure answers.
 */
export async function askAzure(
  clusters: readonly Cluster[],
  access: AzureAccess,
  signal: AbortSignal,
): Promise<FromAzure> {
  const faults: string[] = [];
  const rows = new Map<string, GraphRow[]>();
  try {
    for await (const row of graphRows(clusters, access, signal)) {
      const key = arcKey(row);
      rows.set(key, [...(rows.get(key) ?? []), row]);
    }
  } catch (error) {
    faults.push(
      `Azure did not answer ${rows.size > 0 ? "to the end" : ""}: ${azureWords(error)}`.replace(" :", ":"),
    );
  }
  const told = new Map<string, Told>();
  const certificates = new Map<string, string>();
  const toldAt = new Map<string, string | null>();
  const open: (readonly [Cluster, GraphRow])[] = [];
  for (const cluster of clusters) {
    const found = (rows.get(arcKey(cluster.arc)) ?? []).filter(({ id }) => isInSubscription(id, cluster.arc));
    const [row] = found;
    if (row === undefined) continue;
    if (found.length > 1) {
      told.set(cluster.name, {
        notAsked: `${found.length} subscriptions have it; write the right one as arc.subscription`,
      });
      continue;
    }
    if (row.certificateEnds) certificates.set(cluster.name, row.certificateEnds);
    if (row.configuration !== null) toldAt.set(cluster.name, row.toldAt || null);
    told.set(cluster.name, evidenceOf(row));
    if (needsDetails(row)) open.push([cluster, row]);
  }
  let missed = 0;
  await inParallel(open, parallel, async ([cluster, row]) => {
    try {
      told.set(cluster.name, evidenceOf({ ...row, ...(await details(row, cluster.config, access, signal)) }));
    } catch (error) {
      missed += 1;
      if (missed === 1) faults.push(`Azure gave no details of ${cluster.name}: ${azureWords(error)}`);
    }
  });
  if (missed > 1) faults.push(`Nor of ${missed - 1} more; what is said of them is up to some minutes old.`);
  return { told, certificates, toldAt, faults };
}

/** What is fine by the graph stays; what is offline has nothing newer to say. */
function needsDetails({ connectivity, configuration, compliance, statuses }: GraphRow): boolean {
  if (configuration === null || isAway(connectivity)) return false;
  return compliance !== "Compliant" || statuses === null;
}

function isAway(connectivity: string | null): boolean {
  return connectivity === "Offline" || connectivity === "Expired";
}

/** Azure's words on one cluster as evidence. */
export function evidenceOf(row: GraphRow): Evidence {
  const {
    connectivity,
    lastSeen,
    certificateEnds,
    configuration,
    fault,
    toldAt,
    statuses,
    extensionVersion,
    extensionState,
    extensionError,
  } = row;
  // A path that the agents have not taken over yet is what Azure wants, and not what runs.
  const follows = row.compliance === "Compliant" && !isAway(connectivity) ? row.path : null;
  const asOf = toldAt || lastSeen || undefined;
  const flux = fluxOfExtension(extensionVersion ?? "");
  const wrong =
    configuration === null
      ? "Azure has no Flux configuration of that name for it; run pulumi up"
      : extensionState !== null && extensionState !== "Succeeded" && extensionState !== ""
        ? `the Flux extension is in state ${extensionState}${extensionError ? `: ${extensionError}` : ""}`
        : statuses === null || statuses.length === 0
          ? fault || undefined
          : undefined;
  return {
    source: "azure",
    objects: (statuses ?? []).map(azureObject),
    ...(asOf !== undefined && { asOf }),
    ...(isAway(connectivity) && {
      offline: {
        reason:
          connectivity === "Expired"
            ? `its Arc certificate ${certificateEnds ? `ended on ${certificateEnds.slice(0, 10)}` : "has expired"}`
            : "Azure has not heard of it",
        ...(lastSeen ? { since: lastSeen } : {}),
      },
    }),
    ...(wrong !== undefined && { fault: wrong }),
    ...(flux !== undefined && { flux }),
    ...(follows !== null && { follows: folderOf(follows) }),
  };
}

function graphRows(
  clusters: readonly Cluster[],
  access: AzureAccess,
  signal: AbortSignal,
): AsyncGenerator<GraphRow> {
  const query = graphQuery(clusters[0]?.config ?? "", clusters);
  return queryGraph(query, reaching(clusters, access), signal);
}

/** The configuration as it stands now, with what Azure says of its objects. */
async function details(
  { id }: GraphRow,
  config: string,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<Partial<GraphRow>> {
  const cluster = parseClusterId(id);
  const client = await configurationClient(cluster.subscriptionId, access);
  const found: FluxConfiguration = await client.fluxConfigurations.get(...clusterPlace(cluster), config, {
    abortSignal: signal,
  });
  return {
    compliance: found.complianceState ?? null,
    path: found.kustomizations?.["bootstrap"]?.path ?? null,
    fault: found.errorMessage ?? null,
    toldAt: new Date().toISOString(),
    statuses: (found.statuses ?? []).map((status) => ({
      ...(status ?? {}),
      // The client makes dates of them; Flux, and with it everything here, writes text.
      statusConditions: status?.statusConditions?.map(({ lastTransitionTime, ...rest }) => ({
        ...rest,
        ...(lastTransitionTime && { lastTransitionTime: new Date(lastTransitionTime).toISOString() }),
      })),
    })),
  };
}
