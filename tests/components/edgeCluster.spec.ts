import { beforeAll, describe, expect, it } from "vitest";

import { bare, isSecretInput, only, recordResources, type Registered, valueOf } from "../support/mocks.ts";

describe("EdgeCluster", () => {
  let registered: Registered[];
  let arcId: string;

  beforeAll(async () => {
    registered = await recordResources();
    const { EdgeCluster } = await import("../../components/edgeCluster.ts");
    const cluster = new EdgeCluster("edge-1", {
      clusterName: "edge-1",
      resourceGroupName: "rg-edge",
      location: "westeurope",
      tags: { owner: "edge" },
      agentsChart: { chart: "oci://registry.example.com/agents", version: "1.2.3" },
      context: "edge-1-admin",
    });
    arcId = await valueOf(cluster.arcId);
    await valueOf(cluster.agents.urn);
  });

  it("makes an RSA key pair of 4096 bits", () => {
    expect(only(registered, "tls:index/privateKey:PrivateKey").inputs).toMatchObject({
      algorithm: "RSA",
      rsaBits: 4096,
    });
  });

  it("gives Azure the public key as PKCS#1, and an identity", () => {
    const { inputs } = only(registered, "azure-native:kubernetes:ConnectedCluster");
    expect(inputs["agentPublicKeyCertificate"]).toMatch(/^MIICCgKCAgEA/);
    expect(inputs).toMatchObject({
      clusterName: "edge-1",
      resourceGroupName: "rg-edge",
      location: "westeurope",
      identity: { type: "SystemAssigned" },
      tags: { owner: "edge" },
    });
  });

  it("installs the agents where the Azure CLI does, from the chart asked for", () => {
    expect(only(registered, "kubernetes:helm.sh/v3:Release").inputs).toMatchObject({
      name: "azure-arc",
      namespace: "azure-arc-release",
      createNamespace: true,
      chart: "oci://registry.example.com/agents",
      version: "1.2.3",
    });
  });

  it("tells the agents who they are, with the private key as PKCS#1 PEM in a secret", () => {
    const { values } = only(registered, "kubernetes:helm.sh/v3:Release").inputs;
    expect(isSecretInput(values)).toBe(true);
    const { global } = bare(values) as { global: Record<string, string> };
    expect(global).toMatchObject({
      subscriptionId: "00000000-1111-2222-3333-444444444444",
      tenantId: "tenant-1",
      resourceGroupName: "rg-edge",
      resourceName: "edge-1",
      location: "westeurope",
    });
    expect(global["onboardingPrivateKey"]).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  });

  it("uses the cluster's own context, and no other provider", () => {
    const provider = only(registered, "pulumi:providers:kubernetes");
    expect(provider.inputs["context"]).toBe("edge-1-admin");
  });

  it("offers the Azure id", () => {
    expect(arcId).toMatch(/connectedClusters\/edge-1$/);
  });
});
