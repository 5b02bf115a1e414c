import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { registerConnectedCluster } from "../../lab/azure/registerConnectedCluster.ts";
import { unknownValue } from "../../lab/providers/values.ts";
import { change, goodCluster, goodExtension, goodFlux, types } from "./azureFixtures.ts";
import type { Connection, Made } from "./providerClient.ts";
import { ProviderClient, secret } from "./providerClient.ts";

let client: ProviderClient;
let azure: Connection;

beforeEach(async () => {
  client = await ProviderClient.startAzure();
  azure = client.connect();
});
afterEach(() => client.close());

const clusterId =
  "/subscriptions/00000000-0000-4000-8000-00000000a2cf/resourceGroups/rg-edge/providers/Microsoft.Kubernetes/connectedClusters/edge-0";

async function makeAll(): Promise<{ cluster: Made; extension: Made; flux: Made }> {
  const cluster = await azure.create(types.cluster, goodCluster());
  const extension = await azure.create(types.extension, goodExtension());
  const flux = await azure.create(types.flux, goodFlux());
  return { cluster, extension, flux };
}

it("gives ids and Azure's own values", async () => {
  const { cluster, extension, flux } = await makeAll();
  expect(cluster.id).toBe(clusterId);
  expect(extension.id).toBe(`${clusterId}/providers/Microsoft.KubernetesConfiguration/extensions/flux`);
  expect(flux.id).toBe(
    `${clusterId}/providers/Microsoft.KubernetesConfiguration/fluxConfigurations/edge-config`,
  );
  expect(cluster.outputs).toMatchObject({
    name: "edge-0",
    type: "Microsoft.Kubernetes/connectedClusters",
    provisioningState: "Succeeded",
    connectivityStatus: "Connecting",
    agentVersion: null,
    identity: { type: "SystemAssigned", tenantId: expect.any(String) as string },
  });
  expect(extension.outputs).toMatchObject({ provisioningState: "Succeeded", releaseTrain: "Stable" });
  expect(flux.outputs).toMatchObject({ complianceState: "Pending", provisioningState: "Succeeded" });
});

it("fills in what a kustomization leaves out as Azure does: no prune, but wait", async () => {
  await azure.create(types.cluster, goodCluster());
  await azure.create(types.extension, goodExtension());
  const { outputs } = await azure.create(
    types.flux,
    change(goodFlux(), "kustomizations", { bootstrap: { path: "./a" } }),
  );
  expect(outputs["kustomizations"]).toEqual({
    bootstrap: {
      name: "bootstrap",
      path: "./a",
      dependsOn: [],
      timeoutInSeconds: 600,
      syncIntervalInSeconds: 600,
      retryIntervalInSeconds: null,
      prune: false,
      force: false,
      wait: true,
      postBuild: null,
    },
  });
});

it("never returns protected settings and never writes them down", async () => {
  await azure.create(types.cluster, goodCluster());
  await azure.create(types.extension, {
    ...goodExtension(),
    configurationProtectedSettings: { password: secret("hunter2") },
  });
  const flux = await azure.create(types.flux, {
    ...goodFlux(),
    configurationProtectedSettings: { httpsKey: secret("YS10b2tlbg==") },
  });
  expect(flux.outputs).not.toHaveProperty("configurationProtectedSettings");
  const found = await azure.read(types.flux, flux.id);
  expect(JSON.stringify(found)).not.toContain("YS10b2tlbg==");
  const files = readdirSync(client.dir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.length).toBe(3);
  for (const file of files) {
    expect(readFileSync(path.join(file.parentPath, file.name), "utf8")).not.toMatch(
      /YS10b2tlbg|a-token|hunter2/,
    );
  }
});

it("keeps secrets and unknown values as they are in check and preview", async () => {
  const inputs = {
    ...goodFlux(),
    clusterName: unknownValue,
    configurationProtectedSettings: secret({ httpsKey: "x" }),
  };
  const checked = await azure.check(types.flux, inputs);
  expect(checked).toEqual({ inputs, failures: [] });
  const preview = await azure.create(types.flux, inputs, { preview: true });
  expect(preview.id).toBe("");
  expect(preview.outputs).toMatchObject({ ...inputs, complianceState: unknownValue });
  expect(existsSync(path.join(client.dir, "azure"))).toBe(false);
});

it("reports every missing required input in check", async () => {
  const { failures } = await azure.check(types.cluster, { clusterName: "a" });
  expect(failures).toEqual([
    "missing required property 'agentPublicKeyCertificate'",
    "missing required property 'identity'",
    "missing required property 'resourceGroupName'",
  ]);
});

it("refuses an extension before the cluster", async () => {
  await expect(azure.create(types.extension, goodExtension())).rejects.toThrow("ParentResourceNotFound");
});

const readFlux = async (made: Made) => (await azure.read(types.flux, made.id)).outputs;

it("takes a configuration without extension, says that nothing of it is installed, and why", async () => {
  await azure.create(types.cluster, goodCluster());
  const flux = await azure.create(types.flux, goodFlux());
  const why = "microsoft.flux is not installed on cluster 'edge-0'";
  expect(flux.outputs).toMatchObject({
    provisioningState: "Succeeded",
    complianceState: "Non-Compliant",
    errorMessage: expect.stringContaining(why) as string,
  });
  // Another extension does not help.
  const other = {
    ...goodExtension(),
    extensionName: "other",
    extensionType: "microsoft.other",
    scope: undefined,
  };
  await azure.create(types.extension, other);
  expect(await readFlux(flux)).toMatchObject({ complianceState: "Non-Compliant" });
  await azure.create(types.extension, goodExtension());
  expect(await readFlux(flux)).toMatchObject({ complianceState: "Pending", errorMessage: "" });
});

it("says so of a configuration while the extension has failed", async () => {
  const { flux } = await makeAll();
  const file = path.join(client.dir, "azure/rg-edge/edge-0/extensions/flux.json");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(file, readFileSync(file, "utf8").replace('"Succeeded"', '"Failed"'));
  expect(await readFlux(flux)).toMatchObject({
    complianceState: "Non-Compliant",
    errorMessage: expect.stringContaining("microsoft.flux is in state Failed") as string,
  });
});

it("lets go only in order: configuration, extension, cluster", async () => {
  const { cluster, extension, flux } = await makeAll();
  await expect(azure.delete(types.extension, extension)).rejects.toThrow(
    "before fluxConfigurations/edge-config",
  );
  await expect(azure.delete(types.cluster, cluster)).rejects.toThrow(
    "before fluxConfigurations/edge-config, extensions/flux",
  );
  await azure.delete(types.flux, flux);
  await expect(azure.delete(types.cluster, cluster)).rejects.toThrow("before extensions/flux");
  await azure.delete(types.extension, extension);
  await azure.delete(types.cluster, cluster);
  expect((await azure.read(types.cluster, cluster.id)).id).toBe("");
  // Deleting what is gone is no failure.
  await azure.delete(types.cluster, cluster);
});

it("refuses a second resource of the same name, whatever its case", async () => {
  await azure.create(types.cluster, goodCluster());
  await expect(azure.create(types.cluster, { ...goodCluster(), clusterName: "EDGE-0" })).rejects.toThrow(
    "cannot create already existing resource",
  );
});

it("replaces for names, scope and namespace, and updates for the rest", async () => {
  const flux = goodFlux();
  const named = await azure.diff(types.flux, flux, change(flux, "fluxConfigurationName", "other"));
  expect(named).toMatchObject({ replaces: ["fluxConfigurationName"], deleteFirst: false });
  // The new one takes the old one's id, so the old one must go first.
  const scoped = await azure.diff(types.flux, flux, change(flux, "scope", "namespace"));
  expect(scoped).toMatchObject({ replaces: ["scope"], deleteFirst: true });
  const moved = await azure.diff(types.flux, flux, change(flux, "namespace", "edge"));
  expect(moved).toMatchObject({ replaces: ["namespace"], deleteFirst: true });
  const path = await azure.diff(types.flux, flux, change(flux, "kustomizations.bootstrap.path", "./b"));
  expect(path).toMatchObject({ changed: true, paths: ["kustomizations.bootstrap.path"], replaces: [] });
  expect(await azure.diff(types.flux, flux, goodFlux())).toMatchObject({ changed: false, paths: [] });
});

it("refuses in an update what is create-only", async () => {
  const { cluster, flux } = await makeAll();
  await expect(azure.update(types.flux, flux, change(goodFlux(), "namespace", "edge"))).rejects.toThrow(
    "set to 'flux-system' at creation",
  );
  await expect(
    azure.update(types.cluster, cluster, { ...goodCluster(), location: "northeurope" }),
  ).rejects.toThrow("InvalidResourceLocation");
  const { publicKey } = await import("./azureFixtures.ts");
  await expect(
    azure.update(types.cluster, cluster, { ...goodCluster(), agentPublicKeyCertificate: publicKey(4096) }),
  ).rejects.toThrow("PropertyChangeNotAllowed");
});

it("shows drift on refresh, and only drift", async () => {
  const { flux } = await makeAll();
  const inputs = goodFlux();
  expect((await azure.read(types.flux, flux.id, inputs, flux.outputs)).inputs).toEqual(inputs);
  await azure.update(types.flux, flux, change(inputs, "kustomizations.bootstrap.path", "./elsewhere"));
  const found = await azure.read(types.flux, flux.id, inputs, flux.outputs);
  expect(found.inputs).toEqual(change(inputs, "kustomizations.bootstrap.path", "./elsewhere"));
});

it("imports a resource by its id alone", async () => {
  const { cluster } = await makeAll();
  expect((await azure.read(types.cluster, cluster.id)).inputs).toMatchObject({
    resourceGroupName: "rg-edge",
    clusterName: "edge-0",
    location: "westeurope",
    agentPublicKeyCertificate: goodCluster()["agentPublicKeyCertificate"],
  });
});

it("deletes a resource group with all in it, and gives its location to what is made there", async () => {
  const group = await azure.create(types.group, { resourceGroupName: "rg-edge", location: "North Europe" });
  expect(group.outputs).toMatchObject({
    location: "northeurope",
    properties: { provisioningState: "Succeeded" },
  });
  const homeless = change(goodCluster(), "location", undefined);
  expect((await azure.check(types.cluster, homeless)).inputs["location"]).toBe("northeurope");
  const { flux } = await makeAll();
  await azure.delete(types.group, group);
  expect((await azure.read(types.flux, flux.id)).id).toBe("");
  await azure.delete(types.flux, flux);
});

it("takes clusters that were connected before, registered one by one", async () => {
  registerConnectedCluster(client.dir, { resourceGroup: "rg-edge", name: "edge-0" });
  await azure.create(types.extension, goodExtension());
  await azure.create(types.flux, goodFlux());
  const found = await azure.invoke("azure-native:kubernetes:getConnectedCluster", {
    resourceGroupName: "rg-edge",
    clusterName: "edge-0",
  });
  expect(found).toMatchObject({ id: clusterId, connectivityStatus: "Connected" });
  expect(() => registerConnectedCluster(client.dir, { resourceGroup: "../x", name: "a/b" })).toThrow(
    "2 things",
  );
});

it("takes any cluster for a connected one when told to", async () => {
  const assuming = await ProviderClient.startAzure({ assumeClusters: true });
  try {
    await expect(assuming.connect().create(types.extension, goodExtension())).resolves.toMatchObject({});
  } finally {
    await assuming.close();
  }
});

it("answers who the caller is, and says what it does not know", async () => {
  expect(await azure.invoke("azure-native:authorization:getClientConfig", {})).toEqual({
    clientId: expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
    objectId: expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
    subscriptionId: "00000000-0000-4000-8000-00000000a2cf",
    tenantId: "00000000-0000-4000-8000-0000000000aa",
  });
  await expect(azure.create("azure-native:compute:VirtualMachine", {})).rejects.toThrow(
    "The lab's Azure has no",
  );
  await expect(
    azure.invoke("azure-native:kubernetes:getConnectedCluster", {
      resourceGroupName: "rg",
      clusterName: "gone",
    }),
  ).rejects.toThrow("ResourceNotFound");
});

it("makes 100 clusters at once", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `edge-${index}`);
  await Promise.all(
    names.map(async (name) => {
      await azure.create(types.cluster, { ...goodCluster(), clusterName: name });
      await azure.create(types.extension, { ...goodExtension(), clusterName: name });
      await azure.create(types.flux, { ...goodFlux(), clusterName: name });
    }),
  );
  const files = readdirSync(path.join(client.dir, "azure"), { recursive: true, withFileTypes: true });
  expect(files.filter((one) => one.isFile()).length).toBe(300);
});
