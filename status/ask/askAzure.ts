import type { FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import type { Cluster } from "../../fleet/model.ts";
import type { Evidence, Told } from "../evidence.ts";
import { azureObject, folderOf } from "../fluxObject.ts";
import { type AzureAccess, isLoopback } from "./azureAccess.ts";
import { graphQuery, type GraphRow } from "./graphQuery.ts";
import { inParallel } from "./inParallel.ts";

/** What Azure told. */
export interface FromAzure {
  /** By name of the cluster; one that Azure does not know is absent. */
  readonly told: ReadonlyMap<string, Told>;
  /** End of the certificate of the cluster's Arc identity, ISO, by name. */
  readonly certificates: ReadonlyMap<string, string>;
  /** Why some or all could not be asked. */
  readonly faults: readonly string[];
}

/** Rows of one page, the most that Azure gives. */
const pageSize = 1000;
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
      const key = keyOf(row.resourceGroup, row.name);
      rows.set(key, [...(rows.get(key) ?? []), row]);
    }
  } catch (error) {
    faults.push(
      `Azure did not answer ${rows.size > 0 ? "to the end" : ""}: ${words(error)}`.replace(" :", ":"),
    );
  }
  const told = new Map<string, Told>();
  const certificates = new Map<string, string>();
  const open: (readonly [Cluster, GraphRow])[] = [];
  for (const cluster of clusters) {
    const found = rows.get(keyOf(cluster.arc.resourceGroup, cluster.name)) ?? [];
    const [row] = found;
    if (row === undefined) continue;
    if (found.length > 1) {
      told.set(cluster.name, {
        notAsked: `${found.length} subscriptions have it; set ARM_SUBSCRIPTION_ID to the right one`,
      });
      continue;
    }
    if (row.certificateEnds) certificates.set(cluster.name, row.certificateEnds);
    told.set(cluster.name, evidenceOf(row));
    if (needsDetails(row)) open.push([cluster, row]);
  }
  let missed = 0;
  await inParallel(open, parallel, async ([cluster, row]) => {
    try {
      told.set(cluster.name, evidenceOf({ ...row, ...(await details(row, cluster.config, access, signal)) }));
    } catch (error) {
      missed += 1;
      if (missed === 1) faults.push(`Azure gave no details of ${cluster.name}: ${words(error)}`);
    }
  });
  if (missed > 1) faults.push(`Nor of ${missed - 1} more; what is said of them is up to some minutes old.`);
  return { told, certificates, faults };
}

function keyOf(resourceGroup: string, name: string): string {
  return `${resourceGroup}/${name}`.toLowerCase();
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
  } = row;
  // A path that the agents have not taken over yet is what Azure wants, and not what runs.
  const follows = row.compliance === "Compliant" && !isAway(connectivity) ? row.path : null;
  const asOf = toldAt || lastSeen || undefined;
  const flux = fluxOfExtension(extensionVersion ?? "");
  const wrong =
    configuration === null
      ? "Azure has no Flux configuration of that name for it; run pulumi up"
      : extensionState !== null && extensionState !== "Succeeded" && extensionState !== ""
        ? `the Flux extension is in state ${extensionState}`
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

/** Version of Flux in a version of Azure's extension, by its release notes. */
export function fluxOfExtension(version: string): string | undefined {
  const [, major, minor = "0"] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major !== "1") return undefined;
  const number = Number(minor);
  return number >= 23 ? "2.7" : number >= 20 ? "2.6" : undefined;
}

async function* graphRows(
  clusters: readonly Cluster[],
  { credential, endpoint, subscriptions }: AzureAccess,
  signal: AbortSignal,
): AsyncGenerator<GraphRow> {
  const { ResourceGraphClient } = await import("@azure/arm-resourcegraph");
  const client = new ResourceGraphClient(credential, clientOptions(endpoint));
  if (isLoopback(endpoint)) await allowPlain(client.pipeline, credential);
  const query = graphQuery(
    clusters[0]?.config ?? "",
    clusters.map(({ arc }) => arc.resourceGroup),
  );
  let skipToken: string | undefined;
  do {
    const answer = await client.resources(
      {
        query,
        ...(subscriptions.length > 0 && { subscriptions: [...subscriptions] }),
        options: {
          top: pageSize,
          resultFormat: "objectArray",
          ...(skipToken !== undefined && { skipToken }),
        },
      },
      { abortSignal: signal },
    );
    yield* answer.data as GraphRow[];
    skipToken = answer.skipToken;
  } while (skipToken !== undefined && skipToken !== "");
}

/** The configuration as it stands now, with what Azure says of its objects. */
async function details(
  { id, resourceGroup, name }: GraphRow,
  config: string,
  { credential, endpoint }: AzureAccess,
  signal: AbortSignal,
): Promise<Partial<GraphRow>> {
  const { SourceControlConfigurationClient } = await import("@azure/arm-kubernetesconfiguration");
  const subscription = /^\/subscriptions\/([^/]+)\//i.exec(id)?.[1] ?? "";
  const client = new SourceControlConfigurationClient(credential, subscription, clientOptions(endpoint));
  if (isLoopback(endpoint)) await allowPlain(client.pipeline, credential);
  const found: FluxConfiguration = await client.fluxConfigurations.get(
    ...([resourceGroup, "Microsoft.Kubernetes", "connectedClusters", name, config] as const),
    { abortSignal: signal },
  );
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

function clientOptions(endpoint: string | undefined) {
  return {
    ...(endpoint !== undefined && { endpoint, credentials: { scopes: [`${endpoint}/.default`] } }),
    ...(isLoopback(endpoint) && { allowInsecureConnection: true }),
    // Azure says itself how long to wait; what it refuses four times in a row is told.
    retryOptions: { maxRetries: 4 },
  };
}

/** The clients' own policy gives no token away over plain HTTP, not even on loopback. */
async function allowPlain(
  pipeline: { removePolicy(policy: { name: string }): unknown; addPolicy(policy: never): void },
  credential: AzureAccess["credential"],
): Promise<void> {
  const token = (await credential.getToken([]))?.token ?? "";
  const name = "bearerTokenAuthenticationPolicy";
  pipeline.removePolicy({ name });
  pipeline.addPolicy({
    name,
    sendRequest(request: { headers: Headers }, next: (request: unknown) => Promise<unknown>) {
      request.headers.set("authorization", `Bearer ${token}`);
      return next(request);
    },
  } as never);
}

/** Azure's words, without the pages of a stack. */
function words(error: unknown): string {
  const { name, message } = error as Error;
  if (name === "AbortError") return "no answer in time";
  return (message.split("\n")[0] ?? "").slice(0, 300);
}
