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

/** Helm values of the agents chart. */
export function agentsValues(identity: AgentsIdentity): Record<string, unknown> {
  return {
    global: {
      subscriptionId: identity.subscriptionId,
      resourceGroupName: identity.resourceGroupName,
      resourceName: identity.clusterName,
      location: identity.location,
      tenantId: identity.tenantId,
      onboardingPrivateKey: identity.privateKeyPem,
      kubernetesDistro: "generic",
      kubernetesInfra: "generic",
      azureEnvironment: "AZUREPUBLICCLOUD",
    },
    systemDefaultValues: {
      spnOnboarding: false,
      // Pulumi owns the version of the release; agents that upgrade themselves would be drift.
      azureArcAgents: { autoUpdate: false },
      "clusterconnect-agent": { enabled: true },
    },
  };
}
