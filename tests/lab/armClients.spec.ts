import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { ConnectedKubernetesClient } from "@azure/arm-hybridkubernetes";
import { SourceControlConfigurationClient } from "@azure/arm-kubernetesconfiguration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { armFaults } from "../../lab/armFaults.ts";
import type { ArmServer } from "../../lab/azure/http/startArm.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import { makeCertificates } from "../support/certificates.ts";
import { publicKey } from "./azureFixtures.ts";

/** Azure's own clients against the lab's Azure: what they take for right is what Azure would have said. */

const subscription = "00000000-0000-4000-8000-00000000a2cf";
const key = publicKey(4096);
const cluster = ["rg-edge", "Microsoft.Kubernetes", "connectedClusters", "edge-0"] as const;

let dir: string;
let arm: ArmServer;
let clusters: ConnectedKubernetesClient;
let configurations: SourceControlConfigurationClient;
/** A request of no client's. */
let request: (url: string, options?: Sent) => Promise<Answer>;

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

function call(url: string, { body, ...options }: Sent & { readonly ca: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = https.request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: text === "" ? undefined : JSON.parse(text) });
      });
    });
    sent.on("error", reject).end(body);
  });
}

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-arm-"));
  const tls = makeCertificates(dir, []);
  const ca = readFileSync(tls.caFile, "utf8");
  arm = await startArm({ dir, before: armFaults(dir), operationMs: 30, pageSize: 2, tls });
  request = (url, options) => call(url, { ...options, ca });
  const credential = {
    getToken: () => Promise.resolve({ token: "any", expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const options = { endpoint: arm.url, tlsOptions: { ca } };
  clusters = new ConnectedKubernetesClient(credential, subscription, options);
  configurations = new SourceControlConfigurationClient(credential, subscription, options);
});
afterEach(async () => {
  await arm.close();
  rmSync(dir, { recursive: true });
});

const wait = { updateIntervalInMs: 1 };
const connect = (name = "edge-0") =>
  clusters.connectedClusterOperations.beginCreateAndWait(
    "rg-edge",
    name,
    { location: "westeurope", identity: { type: "SystemAssigned" }, agentPublicKeyCertificate: key },
    wait,
  );
const extend = () =>
  configurations.extensions.beginCreateAndWait(
    ...cluster,
    "flux",
    { extensionType: "microsoft.flux", identity: { type: "SystemAssigned" } },
    wait,
  );
const flux = (branch = "main") => ({
  namespace: "flux-system",
  scope: "cluster",
  sourceKind: "GitRepository",
  gitRepository: { url: "https://git.example.com/fleet.git", repositoryRef: { branch }, httpsUser: "git" },
  kustomizations: { bootstrap: { path: "./clusters/edge-0/flux", prune: true } },
  configurationProtectedSettings: { httpsKey: Buffer.from("not-for-files").toString("base64") },
});
const configure = () =>
  configurations.fluxConfigurations.beginCreateOrUpdateAndWait(...cluster, "edge-config", flux(), wait);

const codeOf = async (
  call: Promise<unknown>,
): Promise<{ statusCode: unknown; code: unknown; message: string }> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("the call was not refused");
  const { statusCode, code } = error as Error & { statusCode: unknown; code: unknown };
  return { statusCode, code, message: error.message };
};

describe("a connected cluster", () => {
  it("is created, read, updated, listed page by page, and deleted", async () => {
    const made = await connect();
    expect(made).toMatchObject({
      name: "edge-0",
      provisioningState: "Succeeded",
      connectivityStatus: "Connecting",
    });
    const read = await clusters.connectedClusterOperations.get("rg-edge", "edge-0");
    expect(read.agentPublicKeyCertificate).toBe(key);
    const updated = await clusters.connectedClusterOperations.update("rg-edge", "edge-0", {
      tags: { owner: "edge" },
    });
    expect(updated).toMatchObject({ tags: { owner: "edge" }, location: "westeurope" });

    for (const name of ["edge-1", "edge-2"]) await connect(name);
    const pages: string[][] = [];
    const list = clusters.connectedClusterOperations.listByResourceGroup("rg-edge");
    for await (const page of list.byPage()) pages.push(page.map(({ name }) => name ?? ""));
    expect(pages).toEqual([["edge-0", "edge-1"], ["edge-2"]]);
    const all: string[] = [];
    for await (const { name } of clusters.connectedClusterOperations.listBySubscription())
      all.push(name ?? "");
    expect(all).toEqual(["edge-0", "edge-1", "edge-2"]);

    await clusters.connectedClusterOperations.beginDeleteAndWait("rg-edge", "edge-0", wait);
    expect(await codeOf(clusters.connectedClusterOperations.get("rg-edge", "edge-0"))).toMatchObject({
      statusCode: 404,
      code: "ResourceNotFound",
    });
  });

  it("says while it is made that it is, and takes no second request meanwhile", async () => {
    const poller = await clusters.connectedClusterOperations.beginCreate(
      "rg-edge",
      "edge-0",
      { location: "westeurope", identity: { type: "SystemAssigned" }, agentPublicKeyCertificate: key },
      wait,
    );
    const during = await clusters.connectedClusterOperations.get("rg-edge", "edge-0");
    expect(during.provisioningState).toBe("Creating");
    expect(await codeOf(connect())).toMatchObject({ statusCode: 409, code: "Conflict" });
    expect((await poller.pollUntilDone()).provisioningState).toBe("Succeeded");
  });
});

describe("an extension and a Flux configuration", () => {
  beforeEach(async () => {
    await connect();
    await extend();
  });

  it("are created, read, listed, changed and deleted", async () => {
    expect(await configurations.extensions.get(...cluster, "flux")).toMatchObject({
      provisioningState: "Succeeded",
      currentVersion: "1.24.1",
    });
    expect(await configure()).toMatchObject({ provisioningState: "Succeeded", complianceState: "Pending" });
    const patch = { gitRepository: { repositoryRef: { branch: "prod" } } };
    await configurations.fluxConfigurations.beginUpdateAndWait(...cluster, "edge-config", patch, wait);
    const read = await configurations.fluxConfigurations.get(...cluster, "edge-config");
    expect(read.gitRepository).toMatchObject({
      url: "https://git.example.com/fleet.git",
      repositoryRef: { branch: "prod" },
    });
    expect(read.kustomizations?.["bootstrap"]).toMatchObject({ path: "./clusters/edge-0/flux", prune: true });

    const names: string[] = [];
    for await (const { name } of configurations.fluxConfigurations.list(...cluster)) names.push(name ?? "");
    expect(names).toEqual(["edge-config"]);

    await configurations.fluxConfigurations.beginDeleteAndWait(...cluster, "edge-config", wait);
    await configurations.extensions.beginDeleteAndWait(...cluster, "flux", { ...wait, forceDelete: true });
    // Deleting what is not there is no failure.
    await configurations.extensions.beginDeleteAndWait(...cluster, "flux", wait);
  });

  it("keep protected settings out of every answer and every file", async () => {
    await configure();
    const read = JSON.stringify(await configurations.fluxConfigurations.get(...cluster, "edge-config"));
    const file = path.join(dir, "azure/rg-edge/edge-0/fluxConfigurations/edge-config.json");
    for (const text of [read, readFileSync(file, "utf8")]) {
      expect(text).toContain("git.example.com");
      expect(text).not.toContain("not-for-files");
      expect(text).not.toContain(Buffer.from("not-for-files").toString("base64"));
    }
  });

  it("a body that is wrong is refused with all that is wrong, and nothing is made", async () => {
    const wrong = {
      ...flux(),
      namespace: "Not A Name",
      kustomizations: { bootstrap: { timeoutInSeconds: -1 } },
    };
    const { statusCode, message } = await codeOf(
      configurations.fluxConfigurations.beginCreateOrUpdateAndWait(...cluster, "edge-config", wrong, wait),
    );
    expect(statusCode).toBe(400);
    expect(message).toContain("properties.namespace");
    expect(message).toContain("timeoutInSeconds");
    expect((await codeOf(configurations.fluxConfigurations.get(...cluster, "edge-config"))).statusCode).toBe(
      404,
    );
  });

  it("a delete waits for the agent of a cluster that has one, and forceDelete does not", async () => {
    await configure();
    const agent = (rest: string, method: "GET" | "POST", body?: object): Promise<Answer> =>
      request(
        `${arm.url}/lab/agent/subscriptions/${subscription}/resourceGroups/rg-edge/providers/Microsoft.Kubernetes/connectedClusters/edge-0${rest}`,
        { method, headers: { "x-lab-agent": "1" }, ...(body && { body: JSON.stringify(body) }) },
      );
    const deleting = async (): Promise<unknown> => {
      const state = (await agent("", "GET")).body as {
        fluxConfigurations: { deleting: boolean }[];
      };
      return state.fluxConfigurations.map(({ deleting: one }) => one);
    };
    await agent("/connected", "POST", { kubernetesVersion: "v1.37.2" });
    const waiting = configurations.fluxConfigurations.beginDeleteAndWait(...cluster, "edge-config", wait);
    while (JSON.stringify(await deleting()) !== "[true]")
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await configurations.fluxConfigurations.get(...cluster, "edge-config")).provisioningState).toBe(
      "Deleting",
    );
    await agent("/fluxConfigurations/edge-config/deleted", "POST", {});
    await waiting;
    expect(await deleting()).toEqual([]);

    await configure();
    const forced = { ...wait, forceDelete: true };
    await configurations.fluxConfigurations.beginDeleteAndWait(...cluster, "edge-config", forced);
    expect(await deleting()).toEqual([]);
  });
});

describe("what Azure says to a caller", () => {
  it("who is throttled waits as long as told, and tries again", async () => {
    const fault = { type: "ConnectedCluster", effect: "throttle", seconds: 0, times: 2 };
    writeFileSync(path.join(dir, "faults.json"), JSON.stringify([fault]));
    expect((await connect()).provisioningState).toBe("Succeeded");
    const direct = await request(
      `${arm.url}/subscriptions/${subscription}/resourceGroups/rg?api-version=2024-03-01`,
    );
    expect(direct.status).toBe(401);
  });

  it.each([
    ["no token", "2021-10-01", {}, 401, "AuthenticationFailed"],
    ["no api-version", "", { Authorization: "Bearer x" }, 400, "MissingApiVersionParameter"],
    ["another api-version", "2019-01-01", { Authorization: "Bearer x" }, 400, "InvalidApiVersionParameter"],
  ] as const)("with %s is refused", async (_, version, headers, status, code) => {
    const query = version === "" ? "" : `?api-version=${version}`;
    const list = `/subscriptions/${subscription}/providers/Microsoft.Kubernetes/connectedClusters${query}`;
    const response = await request(arm.url + list, { headers });
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ error: { code } });
  });

  it("a 429 names the seconds to wait", async () => {
    const fault = { type: "ConnectedCluster", effect: "throttle", seconds: 7, times: 1 };
    writeFileSync(path.join(dir, "faults.json"), JSON.stringify([fault]));
    const id = `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.Kubernetes/connectedClusters/x`;
    const headers = { Authorization: "Bearer x" };
    const response = await request(`${arm.url}${id}?api-version=2021-10-01`, { headers });
    expect(response.status).toBe(429);
    expect(response.headers["retry-after"]).toBe("7");
  });
});
