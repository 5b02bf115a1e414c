import { expect, it } from "vitest";
import { agentsValues, cloudOf } from "../../components/agentsChart.ts";
import { awaitConnected } from "../../components/awaitConnected.ts";
import { connectedFields } from "../../components/connectedFields.ts";
import { mergeConnections } from "../../fleet/connection.ts";

const identity = {
  ...{ subscriptionId: "sub", tenantId: "tenant", resourceGroupName: "rg", clusterName: "edge-1" },
  ...{ location: "westeurope", privateKeyPem: "key" },
};

it.each([
  ["westeurope", "AZUREPUBLICCLOUD"],
  ["usgovvirginia", "AZUREUSGOVERNMENTCLOUD"],
  ["US Gov Arizona", "AZUREUSGOVERNMENTCLOUD"],
  ["usdodeast", "AZUREUSGOVERNMENTCLOUD"],
  ["chinanorth3", "AZURECHINACLOUD"],
])("tells the agents of %s that they are in %s", (location, cloud) => {
  expect(cloudOf(location)).toBe(cloud);
  expect(agentsValues({ ...identity, location })).toMatchObject({ global: { azureEnvironment: cloud } });
});

it("tells the agents their proxy, commas and all, and only where there is one", () => {
  const proxy = { https: "http://proxy.plant.example:3128", skip: "10.0.0.0/8,.svc" };
  expect(agentsValues(identity, { proxy }, "PEM")["global"]).toMatchObject({
    ...{ isProxyEnabled: true, httpsProxy: proxy.https, noProxy: proxy.skip },
    ...{ proxyCert: "PEM", isCustomCert: true },
  });
  expect(agentsValues(identity)["global"]).not.toHaveProperty("isProxyEnabled");
});

it("takes more values over its own, map by map, and another key from nobody", () => {
  const values = {
    global: { onboardingPrivateKey: "other", logLevel: "debug" },
    "fluent-bit": { enabled: false },
  };
  const all = agentsValues(identity, { chart: { values }, privateLinkScope: "/scope", azureRbac: {} });
  expect(all).toMatchObject({
    global: { onboardingPrivateKey: "key", logLevel: "debug", resourceName: "edge-1" },
    systemDefaultValues: {
      azureArcAgents: { autoUpdate: false },
      "clusterconnect-agent": { enabled: false },
      guard: { enabled: true, authnMode: "arc" },
    },
    "fluent-bit": { enabled: false },
  });
});

it("says of a connected cluster what the fleet file says, and nothing upgrades agents behind Pulumi's back", () => {
  expect(connectedFields()).toEqual({ arcAgentProfile: { agentAutoUpgrade: "Disabled" } });
  const connection = mergeConnections([
    { distribution: "k3s", infrastructure: "vsphere", chart: { version: "1.35.3", timeout: "20m" } },
    {
      distribution: "aks_edge_k3s",
      chart: { timeout: "30m" },
      azureRbac: { adminGroups: ["g"], tenantId: "t" },
    },
  ]);
  expect(connection.chart).toEqual({ version: "1.35.3", timeout: "30m" });
  expect(
    connectedFields({ ...connection, privateLinkScope: "/scope", chart: { autoUpgrade: true } }),
  ).toEqual({
    ...{ distribution: "aks_edge_k3s", infrastructure: "vsphere" },
    ...{ privateLinkState: "Enabled", privateLinkScopeResourceId: "/scope" },
    aadProfile: { enableAzureRBAC: true, adminGroupObjectIDs: ["g"], tenantID: "t" },
    arcAgentProfile: { agentAutoUpgrade: "Enabled" },
  });
});

it("waits until Azure says connected, and else tells the usual causes once the time is up", async () => {
  const states = ["Connecting", "Connecting", "Connected"];
  const slept: number[] = [];
  const sleep = (seconds: number): Promise<void> => Promise.resolve(void slept.push(seconds));
  await awaitConnected("edge-1", () => Promise.resolve(states.shift()), { sleep });
  expect([states, slept]).toEqual([[], [10, 10]]);
  await expect(
    awaitConnected("edge-1", () => Promise.resolve("Connecting"), { sleep, seconds: 60 }),
  ).rejects.toThrow(
    /edge-1: the agents run, and Azure says after 60 s that the cluster is 'Connecting'[\s\S]*firewall or proxy[\s\S]*clock[\s\S]*arc\.proxy/,
  );
});
