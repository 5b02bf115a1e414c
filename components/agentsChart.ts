import type { ArcConnection } from "../fleet/connection.ts";
import { isMap } from "../values/maps.ts";
import { regionKey } from "../values/region.ts";

/**
 * The Helm chart of the Azure Arc agents. Its values are a contract that Microsoft does not document, so all of it
 * stands in this one file.
 */

/** Names that the Azure CLI uses too; with others its upgrade and delete would act on the wrong release. */
export const agentsRelease = { name: "azure-arc", namespace: "azure-arc-release" } as const;

/** Where the agents come from: a chart reference or local folder, and a version where the reference has none. */
export interface AgentsChart {
  readonly chart: string;
  readonly version?: string;
}

/** Helm 3.8 and newer can pull the chart only below `/v2/`. */
export const publicAgentsChart: AgentsChart = {
  chart: "oci://mcr.microsoft.com/azurearck8s/batch1/stable/v2/azure-arc-k8sagents",
  version: "1.36.1",
};

/** What the agents must know of the cluster they run on; names exactly as in Azure. */
export interface AgentsIdentity {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly resourceGroupName: string;
  readonly clusterName: string;
  readonly location: string;
  /** PKCS#1 PEM with its line breaks. Secret. */
  readonly privateKeyPem: string;
}

/** Which of its clouds Azure has a region in, as the agents call them. */
export function cloudOf(location: string): string {
  const region = regionKey(location);
  if (/^us(gov|dod)/.test(region)) return "AZUREUSGOVERNMENTCLOUD";
  return region.startsWith("china") ? "AZURECHINACLOUD" : "AZUREPUBLICCLOUD";
}

/**
 * Helm values of the agents chart.
 *
 * @param proxyCertificates PEM of what the proxy signs with, where it has authorities of its own.
 */
export function agentsValues(
  identity: AgentsIdentity,
  connection: ArcConnection = {},
  proxyCertificates?: string,
): Record<string, unknown> {
  const {
    distribution = "generic",
    infrastructure = "generic",
    privateLinkScope,
    azureRbac,
    chart,
  } = connection;
  const own = {
    global: {
      subscriptionId: identity.subscriptionId,
      resourceGroupName: identity.resourceGroupName,
      resourceName: identity.clusterName,
      location: identity.location,
      tenantId: identity.tenantId,
      kubernetesDistro: distribution,
      kubernetesInfra: infrastructure,
      azureEnvironment: cloudOf(identity.location),
      ...proxyValues(connection, proxyCertificates),
    },
    systemDefaultValues: {
      spnOnboarding: false,
      // Pulumi owns the version of the release; agents that upgrade themselves would be drift.
      azureArcAgents: { autoUpdate: chart?.autoUpgrade === true },
      // Cluster connect does not go through private links.
      "clusterconnect-agent": { enabled: privateLinkScope === undefined },
      ...(azureRbac !== undefined && { guard: { enabled: true, authnMode: "arc" } }),
    },
  };
  const { global, ...rest } = merged(own, chart?.values ?? {}) as typeof own;
  // Last: with another key the agents never connect.
  return { ...rest, global: { ...global, onboardingPrivateKey: identity.privateKeyPem } };
}

/** Commas and slashes stay as they are: only `helm --set` would have them escaped. */
function proxyValues({ proxy }: ArcConnection, certificates: string | undefined): Record<string, unknown> {
  if (proxy === undefined) return {};
  const { http, https, skip } = proxy;
  return {
    isProxyEnabled: true,
    ...(http !== undefined && { httpProxy: http }),
    ...(https !== undefined && { httpsProxy: https }),
    ...(skip !== undefined && { noProxy: skip }),
    ...(certificates !== undefined && { proxyCert: certificates, isCustomCert: true }),
  };
}

/** The values of `over` on top, map by map. */
function merged(
  below: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(over)) {
    const there = Object.hasOwn(below, key) ? below[key] : undefined;
    result[key] = isMap(there) && isMap(value) ? merged(there, value) : value;
  }
  return result;
}
