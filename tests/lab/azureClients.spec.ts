import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ConnectedKubernetesClient } from "@azure/arm-hybridkubernetes";
import type { FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import { SourceControlConfigurationClient } from "@azure/arm-kubernetesconfiguration";
import { afterEach, beforeEach, expect, it } from "vitest";
import { subscriptionId } from "../../lab/azure/armId.ts";
import type { Operation } from "../../lab/azure/http/operations.ts";
import type { ArmServer } from "../../lab/azure/http/startArm.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import { publicKey } from "./azureFixtures.ts";

/* Azure's own clients, unchanged, against the lab's Azure. */

let dir: string;
let arm: ArmServer;
let clusters: ConnectedKubernetesClient;
let configuration: SourceControlConfigurationClient;
/** Operations that are kept from ending until a test lets them. */
let held: Map<string, PromiseWithResolvers<void>>;
/** Operations that fail in the end, and why. */
let failures: Map<string, string>;

const quickly = { updateIntervalInMs: 10 };
const key = publicKey(4096);
const credential = {
  getToken: () => Promise.resolve({ token: "any", expiresOnTimestamp: Date.now() + 3_600_000 }),
};
const bearerTokenPolicy: Parameters<ConnectedKubernetesClient["pipeline"]["addPolicy"]>[0] = {
  name: "bearerTokenAuthenticationPolicy",
  async sendRequest(request, next) {
    request.headers.set("authorization", `Bearer ${(await credential.getToken()).token}`);
    return next(request);
  },
};

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
  held = new Map();
  failures = new Map();
  const work = async ({ target }: Operation) => {
    await held.get(target.name)?.promise;
    const failure = failures.get(target.name);
    if (failure !== undefined) throw new Error(failure);
  };
  arm = await startArm({ dir, pageSize: 2, work });
  const options = { endpoint: arm.url, allowInsecureConnection: true };
  clusters = new ConnectedKubernetesClient(credential, subscriptionId, options);
  configuration = new SourceControlConfigurationClient(credential, subscriptionId, options);
  for (const client of [clusters, configuration]) {
    // The clients' own policy gives no token away over plain HTTP, not even on loopback.
    client.pipeline.removePolicy({ name: bearerTokenPolicy.name });
    client.pipeline.addPolicy(bearerTokenPolicy);
  }
});
afterEach(async () => {
  for (const { resolve } of held.values()) resolve();
  await arm.close();
  rmSync(dir, { recursive: true, force: true });
});

const connected = () => ({
  location: "westeurope",
  identity: { type: "SystemAssigned" as const },
  agentPublicKeyCertificate: key,
});
const parent = (cluster: string) =>
  ["rg-edge", "Microsoft.Kubernetes", "connectedClusters", cluster] as const;
const flux = (): FluxConfiguration => ({
  namespace: "flux-system",
  scope: "cluster",
  sourceKind: "GitRepository",
  gitRepository: {
    url: "https://git.example.com/fleet.git",
    repositoryRef: { branch: "main" },
    httpsUser: "git",
  },
  configurationProtectedSettings: { httpsKey: "YS10b2tlbg==" },
  kustomizations: { bootstrap: { path: "./clusters/edge-0/flux", prune: true } },
});

const connect = (name: string) =>
  clusters.connectedClusterOperations.beginCreateAndWait("rg-edge", name, connected(), quickly);
const install = (cluster: string) =>
  configuration.extensions.beginCreateAndWait(
    ...parent(cluster),
    "flux",
    { extensionType: "microsoft.flux", identity: { type: "SystemAssigned" } },
    quickly,
  );
const configure = (cluster: string, name = "edge-config", body = flux()) =>
  configuration.fluxConfigurations.beginCreateOrUpdateAndWait(...parent(cluster), name, body, quickly);

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of pages) found.push(one);
  return found;
}

it("a cluster is connected, read, changed, listed and deleted", async () => {
  const made = await connect("edge-0");
  expect(made).toMatchObject({
    name: "edge-0",
    provisioningState: "Succeeded",
    connectivityStatus: "Connecting",
  });
  // The client asks for 2021-10-01, where these are not yet.
  expect(made).not.toHaveProperty("properties");
  expect(await clusters.connectedClusterOperations.get("rg-edge", "edge-0")).toMatchObject({
    id: made.id,
    agentPublicKeyCertificate: key,
    identity: { type: "SystemAssigned" },
  });
  const changed = await clusters.connectedClusterOperations.update("rg-edge", "edge-0", {
    tags: { owner: "edge" },
  });
  expect(changed).toMatchObject({ tags: { owner: "edge" }, location: "westeurope" });
  await connect("edge-2");
  await connect("edge-1");
  await clusters.connectedClusterOperations.beginCreateAndWait("rg-other", "edge-0", connected(), quickly);
  const listed = await all(clusters.connectedClusterOperations.listByResourceGroup("RG-edge"));
  expect(listed.map(({ name }) => name)).toEqual(["edge-0", "edge-1", "edge-2"]);
  expect(await all(clusters.connectedClusterOperations.listBySubscription())).toHaveLength(4);
  await clusters.connectedClusterOperations.beginDeleteAndWait("rg-edge", "edge-0", quickly);
  await expect(clusters.connectedClusterOperations.get("rg-edge", "edge-0")).rejects.toMatchObject({
    statusCode: 404,
    code: "ResourceNotFound",
  });
  // Deleting what is gone is no failure.
  await clusters.connectedClusterOperations.beginDeleteAndWait("rg-edge", "edge-0", quickly);
});

it("extension and configuration are made, read, changed, listed and deleted", async () => {
  await connect("edge-0");
  expect(await install("edge-0")).toMatchObject({ provisioningState: "Succeeded", currentVersion: "1.24.1" });
  expect(await configure("edge-0")).toMatchObject({
    provisioningState: "Succeeded",
    complianceState: "Pending",
    kustomizations: { bootstrap: { prune: true, wait: true, syncIntervalInSeconds: 600 } },
  });
  const [group, rp, type, cluster] = parent("edge-0");
  const pinned = { autoUpgradeMinorVersion: false, version: "1.23.3" };
  expect(
    await configuration.extensions.beginUpdateAndWait(group, rp, type, cluster, "flux", pinned, quickly),
  ).toMatchObject({ version: "1.23.3", extensionType: "microsoft.flux" });
  const patch = {
    suspend: true,
    kustomizations: { bootstrap: { path: "./elsewhere" }, second: { path: "./b", dependsOn: ["bootstrap"] } },
  };
  await configuration.fluxConfigurations.beginUpdateAndWait(
    ...parent("edge-0"),
    "edge-config",
    patch,
    quickly,
  );
  const found = await configuration.fluxConfigurations.get(...parent("edge-0"), "edge-config");
  expect(found).toMatchObject({
    suspend: true,
    complianceState: "Suspended",
    gitRepository: { url: "https://git.example.com/fleet.git", httpsUser: "git" },
    kustomizations: { bootstrap: { path: "./elsewhere", prune: true }, second: { name: "second" } },
  });
  expect(found.configurationProtectedSettings).toBeUndefined();
  for (const name of ["b-config", "a-config"]) await configure("edge-0", name);
  const listed = await all(configuration.fluxConfigurations.list(...parent("edge-0")));
  expect(listed.map(({ name }) => name)).toEqual(["a-config", "b-config", "edge-config"]);
  expect(await all(configuration.extensions.list(...parent("edge-0")))).toHaveLength(1);
  for (const { name = "" } of listed) {
    await configuration.fluxConfigurations.beginDeleteAndWait(...parent("edge-0"), name, quickly);
  }
  await configuration.extensions.beginDeleteAndWait(...parent("edge-0"), "flux", quickly);
  expect(await all(configuration.extensions.list(...parent("edge-0")))).toEqual([]);
});

it("a PATCH takes a kustomization away with null, and keeps the protected settings unless it names them", async () => {
  await connect("edge-0");
  await install("edge-0");
  const two = { ...flux(), kustomizations: { bootstrap: { path: "./a" }, second: { path: "./b" } } };
  await configure("edge-0", "edge-config", two);
  // The typed client sends no null, so the request is made by hand.
  const answer = await fetch(
    `${arm.url}${idOf("edge-0")}/providers/Microsoft.KubernetesConfiguration/fluxConfigurations/edge-config?api-version=2023-05-01`,
    {
      method: "PATCH",
      headers: { authorization: "Bearer any", "content-type": "application/json" },
      body: JSON.stringify({ properties: { kustomizations: { second: null } } }),
    },
  );
  expect(answer.status).toBe(202);
  await configuration.fluxConfigurations.beginUpdateAndWait(...parent("edge-0"), "edge-config", {}, quickly);
  const found = await configuration.fluxConfigurations.get(...parent("edge-0"), "edge-config");
  expect(Object.keys(found.kustomizations ?? {})).toEqual(["bootstrap"]);
  expect(found.gitRepository?.httpsUser).toBe("git");
});

it("a body that is refused comes with every fault, each with its place", async () => {
  await connect("edge-0");
  const body = {
    ...flux(),
    scope: "all",
    kustomizations: { bootstrap: { path: "./a", syncIntervalInSeconds: 0 } },
  };
  await expect(configure("edge-0", "edge-config", body)).rejects.toMatchObject({
    statusCode: 400,
    code: "MultipleErrorsOccurred",
    details: {
      error: {
        details: [
          { code: "BadRequest", target: "properties.scope" },
          { code: "BadRequest", target: "properties.kustomizations.bootstrap.syncIntervalInSeconds" },
        ],
      },
    },
  });
  await expect(
    clusters.connectedClusterOperations.beginCreateAndWait(
      "rg-edge",
      "edge-1",
      { ...connected(), agentPublicKeyCertificate: "" },
      quickly,
    ),
  ).rejects.toMatchObject({
    statusCode: 400,
    details: { error: { target: "properties.agentPublicKeyCertificate" } },
  });
});

it("while an operation is in progress the resource says so, and another one is refused", async () => {
  held.set("edge-0", Promise.withResolvers());
  const poller = await clusters.connectedClusterOperations.beginCreate(
    "rg-edge",
    "edge-0",
    connected(),
    quickly,
  );
  expect(poller.isDone()).toBe(false);
  expect(await clusters.connectedClusterOperations.get("rg-edge", "edge-0")).toMatchObject({
    provisioningState: "Accepted",
  });
  await expect(connect("edge-0")).rejects.toMatchObject({ statusCode: 409, code: "Conflict" });
  await expect(
    clusters.connectedClusterOperations.update("rg-edge", "edge-0", { tags: {} }),
  ).rejects.toMatchObject({ statusCode: 409 });
  // Others go on.
  await connect("edge-1");
  held.get("edge-0")?.resolve();
  expect(await poller.pollUntilDone()).toMatchObject({ provisioningState: "Succeeded" });
});

it("a cluster is not deleted while something below it is under way, and takes nothing once it is being deleted", async () => {
  await connect("edge-0");
  held.set("flux", Promise.withResolvers());
  const installing = install("edge-0");
  await expect
    .poll(() => all(configuration.extensions.list(...parent("edge-0"))))
    .toMatchObject([{ provisioningState: "Creating" }]);
  const remove = () => clusters.connectedClusterOperations.beginDeleteAndWait("rg-edge", "edge-0", quickly);
  await expect(remove()).rejects.toMatchObject({ statusCode: 409, code: "Conflict" });
  held.get("flux")?.resolve();
  await installing;
  await configuration.extensions.beginDeleteAndWait(...parent("edge-0"), "flux", quickly);
  held.set("edge-0", Promise.withResolvers());
  const removing = remove();
  await expect
    .poll(() => clusters.connectedClusterOperations.get("rg-edge", "edge-0"))
    .toMatchObject({
      provisioningState: "Deleting",
    });
  await expect(install("edge-0")).rejects.toMatchObject({ statusCode: 409 });
  held.get("edge-0")?.resolve();
  await removing;
});

it("an operation that fails in the end says why, and the resource shows it", async () => {
  await connect("edge-0");
  await install("edge-0");
  failures.set("edge-config", "the disk is full");
  await expect(configure("edge-0")).rejects.toThrow("the disk is full");
  expect(await configuration.fluxConfigurations.get(...parent("edge-0"), "edge-config")).toMatchObject({
    provisioningState: "Failed",
    errorMessage: expect.stringContaining("the disk is full") as string,
  });
});

it("the client waits as long as a throttled answer says, and asks again by itself", async () => {
  await connect("edge-0");
  writeFileSync(
    path.join(dir, "faults.json"),
    JSON.stringify([{ type: "Extension", operation: "create", effect: "throttle", seconds: 1, times: 2 }]),
  );
  const begin = Date.now();
  await install("edge-0");
  // A lower bound only: two waits of a second each.
  expect(Date.now() - begin).toBeGreaterThanOrEqual(2000);
});

it("by force, configurations and the extension go whatever is left or under way", async () => {
  await connect("edge-0");
  await install("edge-0");
  await configure("edge-0");
  const force = { ...quickly, forceDelete: true };
  await expect(
    configuration.extensions.beginDeleteAndWait(...parent("edge-0"), "flux", quickly),
  ).rejects.toMatchObject({ statusCode: 409, code: "CannotDeleteResource" });
  await configuration.extensions.beginDeleteAndWait(...parent("edge-0"), "flux", force);
  held.set("edge-config", Promise.withResolvers());
  const removing = configuration.fluxConfigurations.beginDelete(...parent("edge-0"), "edge-config", quickly);
  await expect
    .poll(() => configuration.fluxConfigurations.get(...parent("edge-0"), "edge-config"))
    .toMatchObject({ provisioningState: "Deleting" });
  await configuration.fluxConfigurations.beginDeleteAndWait(...parent("edge-0"), "edge-config", force);
  expect(await all(configuration.fluxConfigurations.list(...parent("edge-0")))).toEqual([]);
  await removing;
});

it("protected settings are on no disk", async () => {
  await connect("edge-0");
  await install("edge-0");
  await configure("edge-0");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files).toHaveLength(3);
  for (const file of files) {
    expect(readFileSync(path.join(file.parentPath, file.name), "utf8")).not.toMatch(/YS10b2tlbg|a-token/);
  }
});

function idOf(cluster: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/rg-edge/providers/Microsoft.Kubernetes/connectedClusters/${cluster}`;
}
