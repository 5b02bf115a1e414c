import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { ClusterAgent } from "../../lab/azure/agent/startClusterAgent.ts";
import { startClusterAgent } from "../../lab/azure/agent/startClusterAgent.ts";
import type { ArmId } from "../../lab/azure/armId.ts";
import { armTypes, formatArmId, subscriptionId } from "../../lab/azure/armId.ts";
import type { ArmServer } from "../../lab/azure/http/startArm.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import type { Json } from "../../lab/azure/json.ts";
import { asObject } from "../../lab/azure/json.ts";
import type { Cluster } from "../../lab/cluster/startCluster.ts";
import { startCluster } from "../../lab/cluster/startCluster.ts";
import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import type { GitServer } from "../../lab/gitServer.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { root } from "../../lab/lab.ts";
import { Person } from "../../lab/person.ts";
import { ArmClient } from "../../lab/providers/armClient.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { agentKeys, helmRelease } from "../lab/helmRelease.ts";

/* Azure's agents in the lab, on a real Kubernetes API with real Flux; no Pulumi. The tests build on one another. */

const token = "private-repository-t0ken";
const keys = agentKeys();
const base64 = (text: string): string => Buffer.from(text).toString("base64");

let dir: string;
let git: GitServer;
let person: Person;
let arm: ArmServer;
let azure: ArmClient;
let cluster: Cluster;
let agent: ClusterAgent;
/** Last commit. */
let tip: string;
const log: string[] = [];

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-agent-"));
  const gitDir = path.join(dir, "git", "fleet.git");
  await seedRepository(gitDir, "main");
  git = await startGitServer({ root: path.join(dir, "git"), token });
  person = new Person(gitDir, path.join(dir, "person"));
  arm = await startArm({ dir });
  azure = new ArmClient(arm.url);
  const tools = findClusterTools(root, process.env);
  cluster = await startCluster({
    ...{ dir: path.join(dir, "edge-0"), name: "edge-0", tools, lockdown: true },
    kustomizeController: tools.kustomizeController.azure,
  });
  agent = startAgent();
});
afterAll(async () => {
  await agent.stop();
  await arm.close();
  await cluster.stop();
  await git.close();
  rmSync(dir, { recursive: true, force: true });
});

function startAgent(): ClusterAgent {
  const { kubeconfig, context } = cluster;
  return startClusterAgent({
    ...{ armUrl: arm.url, kubeconfig, context, log: (line) => log.push(line) },
    failure: () => cluster.failure(),
  });
}

const inGroup = { resourceGroup: "rg-edge", cluster: "edge-0" };
const clusterId: ArmId = { ...inGroup, type: armTypes.connectedCluster, name: "edge-0" };
const fluxId: ArmId = { ...inGroup, type: armTypes.extension, name: "flux" };
const configurationId: ArmId = { ...inGroup, type: armTypes.fluxConfiguration, name: "edge-config" };
const target = (id: ArmId) => ({
  id,
  apiVersion: id.type === armTypes.connectedCluster ? "2024-02-01-preview" : "2023-05-01",
});

/** A request for the configuration that the client has no method for. */
function ask(method: string, query = "", body?: Json): Promise<Response> {
  const address = `${arm.url}${formatArmId(configurationId)}?api-version=2023-05-01${query}`;
  const headers = { authorization: "Bearer any" };
  return fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function properties(id: ArmId): Promise<Json> {
  return asObject((await azure.get(target(id)))?.["properties"]);
}

function configuration(kustomizations: Json, more: Json = {}): Json {
  return {
    properties: {
      namespace: "flux-system",
      scope: "cluster",
      sourceKind: "GitRepository",
      gitRepository: {
        url: `${git.url}/fleet.git`,
        repositoryRef: { branch: "main" },
        syncIntervalInSeconds: 600,
        timeoutInSeconds: 60,
        httpsUser: "git",
      },
      configurationProtectedSettings: { httpsKey: base64(token) },
      kustomizations,
      ...more,
    },
  };
}

const bootstrap = {
  path: "./clusters/edge-0/flux",
  prune: true,
  wait: false,
  syncIntervalInSeconds: 600,
  retryIntervalInSeconds: 5,
};

const flux = (kind: "GitRepository" | "Kustomization", name: string) => ({
  apiVersion: `${kind === "GitRepository" ? "source" : "kustomize"}.toolkit.fluxcd.io/v1`,
  kind,
  namespace: "flux-system",
  name,
});
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  namespace: "flux-system",
  name: "edge-config-protected-parameters",
};
const account = { apiVersion: "v1", kind: "ServiceAccount", namespace: "flux-system", name: "flux-applier" };
const content = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name });

const until = <T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> =>
  waitUntil(what, look, {
    failure: () => cluster.failure(),
    instead: async () => `${log.join("\n")}\n${JSON.stringify(await properties(configurationId), null, 1)}`,
  });

async function fetchNow(): Promise<void> {
  const annotations = { "reconcile.fluxcd.io/requestedAt": new Date().toISOString() };
  await cluster.api.patch(flux("GitRepository", "edge-config"), { metadata: { annotations } });
}

/** A set of one ConfigMap; its Kustomization lies in the flux folder. */
function set(
  name: string,
  manifest = `metadata: { name: ${name}, namespace: default }`,
): Record<string, string> {
  return {
    [`clusters/edge-0/flux/${name}.yaml`]: [
      "apiVersion: kustomize.toolkit.fluxcd.io/v1",
      "kind: Kustomization",
      `metadata: { name: ${name}, namespace: flux-system }`,
      "spec:",
      "  interval: 10m",
      "  retryInterval: 5s",
      "  prune: true",
      `  path: ./sets/${name}`,
      "  sourceRef: { kind: GitRepository, name: edge-config }",
      "",
    ].join("\n"),
    [`sets/${name}/config.yaml`]: `apiVersion: v1\nkind: ConfigMap\n${manifest}\n`,
  };
}

async function release(privateKey: string, version: number): Promise<void> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "azure-arc-release" } };
  await cluster.api.apply(namespace);
  const names = { subscriptionId, resourceGroupName: "rg-edge", resourceName: "edge-0" };
  await cluster.api.apply(helmRelease({ ...names, onboardingPrivateKey: privateKey }, { version }));
}

it("a cluster stays not connected while the key of the agents is not its own, and the log says why", async () => {
  await azure.put(target(clusterId), {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    properties: { agentPublicKeyCertificate: keys.certificate },
  });
  const strange = agentKeys();
  await release(strange.privateKey, 1);
  await until("the agents are refused", () => Promise.resolve(log.length > 0));
  expect(log[0]).toContain("does not belong to the agentPublicKeyCertificate");
  expect(log.join("\n")).not.toContain("PRIVATE KEY");
  expect(await properties(clusterId)).toMatchObject({ connectivityStatus: "Connecting" });
});

it("with the right key it is connected, and Azure knows its versions", async () => {
  await release(keys.privateKey, 2);
  await until("connected", async () => (await properties(clusterId))["connectivityStatus"] === "Connected");
  expect(await properties(clusterId)).toMatchObject({
    kubernetesVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    agentVersion: "1.36.1",
    totalNodeCount: 0,
    lastConnectivityTime: expect.stringMatching(/^\d{4}-/) as string,
  });
});

it("a configuration without extension installs nothing and says why; with the extension it comes", async () => {
  tip = await person.commit("First set", set("one"));
  const put = await azure.put(target(configurationId), configuration({ bootstrap }));
  expect(put["properties"]).toMatchObject({
    complianceState: "Non-Compliant",
    errorMessage: expect.stringContaining("microsoft.flux is not installed") as string,
  });
  expect(await cluster.api.list("source.toolkit.fluxcd.io/v1", "GitRepository")).toEqual([]);
  await azure.put(target(fluxId), {
    identity: { type: "SystemAssigned" },
    properties: { extensionType: "microsoft.flux" },
  });
  await until("the content", () => cluster.api.read(content("one")));
});

it("what is on the cluster is what Azure's agents make", async () => {
  const repository = await cluster.api.read(flux("GitRepository", "edge-config"));
  expect(repository?.["spec"]).toMatchObject({
    url: `${git.url}/fleet.git`,
    ref: { branch: "main" },
    interval: "10m0s",
    secretRef: { name: "edge-config-protected-parameters" },
  });
  const kustomization = await cluster.api.read(flux("Kustomization", "edge-config-bootstrap"));
  expect(kustomization?.["spec"]).toMatchObject({
    path: "./clusters/edge-0/flux",
    prune: true,
    wait: false,
    serviceAccountName: "flux-applier",
    sourceRef: { kind: "GitRepository", name: "edge-config", namespace: "flux-system" },
  });
  expect(kustomization?.metadata.labels).toMatchObject({
    "clusterconfig.azure.com/is-managed": "true",
    "clusterconfig.azure.com/name": "edge-config",
    "clusterconfig.azure.com/namespace": "flux-system",
    "clusterconfig.azure.com/operation-id": expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
  });
  expect(asObject((await cluster.api.read(secret))?.["data"])).toEqual({
    username: base64("git"),
    password: base64(token),
  });
});

it("Azure hears what Flux made of it: the commit, each object, and who applied it", async () => {
  await until(
    "Compliant",
    async () => (await properties(configurationId))["complianceState"] === "Compliant",
  );
  const found = await properties(configurationId);
  expect(found).toMatchObject({ errorMessage: "", sourceSyncedCommitId: `main/${tip}` });
  const statuses = (found["statuses"] as Json[]).map(({ kind, name, complianceState, appliedBy }) => ({
    ...{ kind, name, complianceState, appliedBy },
  }));
  expect(statuses).toEqual([
    { kind: "GitRepository", name: "edge-config", complianceState: "Compliant", appliedBy: null },
    { kind: "Kustomization", name: "edge-config-bootstrap", complianceState: "Compliant", appliedBy: null },
    {
      ...{ kind: "Kustomization", name: "one", complianceState: "Compliant" },
      appliedBy: { name: "edge-config-bootstrap", namespace: "flux-system" },
    },
  ]);
});

it("a broken set shows with Flux's own reason, and is well again after the next commit", async () => {
  await person.commit("Break it", set("one", "metadata: { name: Not A Name, namespace: default }"));
  await fetchNow();
  const broken = await until("Non-Compliant", async () => {
    const found = await properties(configurationId);
    return found["complianceState"] === "Non-Compliant" && (found["statuses"] as Json[]);
  });
  const one = broken.find(({ name }) => name === "one");
  const ready = (one?.["statusConditions"] as Json[]).find(({ type }) => type === "Ready");
  expect(ready).toMatchObject({ status: "False", message: expect.stringContaining("Not A Name") as string });
  await person.commit("Mend it", set("one"));
  await fetchNow();
  await until(
    "Compliant",
    async () => (await properties(configurationId))["complianceState"] === "Compliant",
  );
});

it("an edit by hand stays until the configuration is changed in Azure", async () => {
  await cluster.api.patch(flux("Kustomization", "edge-config-bootstrap"), { spec: { interval: "7m0s" } });
  await person.commit("Second set", set("two"));
  await fetchNow();
  await until("the second set", () => cluster.api.read(content("two")));
  await until("Azure knows of it", async () =>
    JSON.stringify((await properties(configurationId))["statuses"]).includes('"two"'),
  );
  const interval = async () =>
    asObject((await cluster.api.read(flux("Kustomization", "edge-config-bootstrap")))?.["spec"])["interval"];
  expect(await interval()).toBe("7m0s");
  const second = { ...bootstrap, path: "./sets/two", dependsOn: ["bootstrap"] };
  await azure.put(target(configurationId), configuration({ bootstrap, second }));
  expect(await interval()).toBe("10m0s");
  const depends = await cluster.api.read(flux("Kustomization", "edge-config-second"));
  expect(asObject(depends?.["spec"])["dependsOn"]).toEqual([
    { name: "edge-config-bootstrap", namespace: "flux-system" },
  ]);
  await azure.put(target(configurationId), configuration({ bootstrap }));
  await until(
    "the second Kustomization goes",
    async () => (await cluster.api.read(flux("Kustomization", "edge-config-second"))) === undefined,
  );
});

it("a suspended configuration is suspended on the cluster, and Azure says so", async () => {
  await azure.put(target(configurationId), configuration({ bootstrap }, { suspend: true }));
  const { api } = cluster;
  for (const ref of [flux("GitRepository", "edge-config"), flux("Kustomization", "edge-config-bootstrap")]) {
    expect(asObject((await api.read(ref))?.["spec"])["suspend"]).toBe(true);
  }
  expect(await properties(configurationId)).toMatchObject({ complianceState: "Suspended" });
});

it("meanwhile nothing new comes, what runs stays, and sets repair their drift", async () => {
  const { api } = cluster;
  const uid = async (name: string) => (await api.read(content(name)))?.metadata["uid"];
  const untouched = await uid("two");
  await person.commit("While it is suspended", {
    ...set("three"),
    ...set("one", "metadata: { name: late }"),
  });
  await fetchNow();
  await api.delete(content("one"));
  const annotations = { "reconcile.fluxcd.io/requestedAt": new Date().toISOString() };
  await api.patch(flux("Kustomization", "one"), { metadata: { annotations } });
  await until("what somebody deleted is there again", () => api.read(content("one")));
  expect(await api.read(content("three"))).toBeUndefined();
  expect(await api.read(content("late"))).toBeUndefined();
  expect(await uid("two")).toBe(untouched);

  await person.commit("Back", set("one"));
  await azure.put(target(configurationId), configuration({ bootstrap }));
  await until("what was committed meanwhile", () => api.read(content("three")));
  await until(
    "Compliant",
    async () => (await properties(configurationId))["complianceState"] === "Compliant",
  );
});

it("what Kubernetes refuses makes the operation fail, with its words", async () => {
  // Azure takes it; a Kustomization's substitute variable must be a name.
  const odd = { ...bootstrap, postBuild: { substituteFrom: [{ kind: "Pod", name: "x" }] } };
  await expect(azure.put(target(configurationId), configuration({ bootstrap: odd }))).rejects.toThrow(
    /ClusterOperationFailed[\s\S]*substituteFrom/,
  );
  expect(await properties(configurationId)).toMatchObject({ provisioningState: "Failed" });
  await azure.put(target(configurationId), configuration({ bootstrap }));
});

it("protected settings that were lost with the lab are asked for again, unless the cluster still has them", async () => {
  await agent.stop();
  await arm.close();
  arm = await startArm({ dir });
  azure = new ArmClient(arm.url);
  agent = startAgent();
  await until(
    "connected again",
    async () => (await properties(clusterId))["connectivityStatus"] === "Connected",
  );
  await until(
    "Compliant",
    async () => (await properties(configurationId))["complianceState"] === "Compliant",
  );
  await cluster.api.delete(secret);
  await cluster.api.delete(flux("GitRepository", "edge-config"));
  await until("the repository is gone", async () => {
    return (await cluster.api.read(flux("GitRepository", "edge-config"))) === undefined;
  });
  await until("Azure says that it is missing", async () =>
    String((await properties(configurationId))["errorMessage"]).includes(
      "GitRepository edge-config is not on",
    ),
  );
  await azure.put(target(configurationId), configuration({ bootstrap }));
  await until(
    "Compliant",
    async () => (await properties(configurationId))["complianceState"] === "Compliant",
  );
});

it("the deletion is over when everything that was applied is being pruned and our objects are gone", async () => {
  await azure.delete(target(configurationId));
  const { api } = cluster;
  for (const ref of [
    flux("GitRepository", "edge-config"),
    flux("Kustomization", "edge-config-bootstrap"),
    secret,
  ]) {
    expect(await api.read(ref)).toBeUndefined();
  }
  await until("the content goes", async () => (await api.read(content("one"))) === undefined);
});

it("by force only Azure's record goes", async () => {
  await azure.put(target(configurationId), configuration({ bootstrap }));
  await until("the content", () => cluster.api.read(content("one")));
  const answer = await ask("DELETE", "&forceDelete=true");
  expect(answer.status).toBe(202);
  expect(await azure.get(target(configurationId))).toBeUndefined();
  expect(await cluster.api.read(flux("Kustomization", "edge-config-bootstrap"))).toBeDefined();
  // Made anew, it takes over what is there, and goes with it.
  await azure.put(target(configurationId), configuration({ bootstrap }));
  await azure.delete(target(configurationId));
  expect(await cluster.api.read(flux("Kustomization", "edge-config-bootstrap"))).toBeUndefined();
});

it("with the extension the service account goes, once all is pruned; with the release the connection", async () => {
  expect(await cluster.api.read(account)).toBeDefined();
  await azure.delete(target(fluxId));
  expect(await cluster.api.read(account)).toBeUndefined();
  expect(await cluster.api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization")).toEqual([]);
  expect(await cluster.api.read(content("one"))).toBeUndefined();
  for (const version of [1, 2]) {
    const name = `sh.helm.release.v1.azure-arc.v${version}`;
    await cluster.api.delete({ apiVersion: "v1", kind: "Secret", namespace: "azure-arc-release", name });
  }
  await until("offline", async () => (await properties(clusterId))["connectivityStatus"] === "Offline");
  await azure.delete(target(clusterId));
  expect(await azure.get(target(clusterId))).toBeUndefined();
});

it("what waits for a cluster that dies fails, and so does what comes after", async () => {
  await azure.put(target(clusterId), {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    properties: { agentPublicKeyCertificate: keys.certificate },
  });
  await release(keys.privateKey, 3);
  await until("connected", async () => (await properties(clusterId))["connectivityStatus"] === "Connected");
  await azure.put(target(fluxId), { properties: { extensionType: "microsoft.flux" } });
  process.kill(cluster.pids["kube-apiserver"] ?? 0, "SIGKILL");
  const why = "kube-apiserver of the cluster edge-0 ended by itself (SIGKILL)";
  const put = (): Promise<unknown> => azure.put(target(configurationId), configuration({ bootstrap }));
  await expect(put()).rejects.toThrow(why);
  await expect(put()).rejects.toThrow(why);
});

it("no secret is in the log", () => {
  const secrets = [token, base64(token), "PRIVATE KEY"];
  for (const one of secrets) expect(log.join("\n")).not.toContain(one);
});
