import { mkdir, writeFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { doctor } from "../../cli/doctor.ts";
import { subscriptionId } from "../../lab/azure/armId.ts";
import { type ArmServer, startArm } from "../../lab/azure/http/startArm.ts";
import { hasOpenssl, makeCertificates } from "../support/certificates.ts";
import { startConnectProxy } from "../support/connectProxy.ts";
import { loginOf } from "../../doctor/azure/login.ts";
import { missingActions } from "../../doctor/azure/permissions.ts";
import { configMap } from "../checks/repository.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { kubeconfigOf, type PretendedCluster, startKubernetesApi } from "../support/kubernetesApi.ts";
import { report } from "../status/labFleet.ts";

/* What stands in the way of an update, told before one: against the lab's Azure and an API that answers like a cluster. */

const workshop = new GitWorkshop();
let arm: ArmServer;
let api: Awaited<ReturnType<typeof startKubernetesApi>>;
let cluster: PretendedCluster = {};
let file: string;

beforeAll(async () => {
  arm = await startArm({ dir: workshop.folder });
  api = await startKubernetesApi(() => cluster);
  const url = await workshop.repository({ "clusters/edge-0/sets/pos/cm.yaml": configMap("pos") });
  const kubeconfig = join(workshop.folder, "kubeconfig.json");
  await writeFile(kubeconfig, kubeconfigOf({ "edge-0": api.url, "edge-1": "http://127.0.0.1:9" }));
  vi.stubEnv("KUBECONFIG", kubeconfig);
  file = join(workshop.folder, "fleet.yaml");
  await writeFile(
    file,
    `apiVersion: arcflux/v1
repository: { url: ${url} }
arc: { resourceGroup: rg-edge, location: westeurope }
groups: { all: { match: {}, kubeconfig: { context: "{cluster}" } } }
clusters: { edge-0: { sets: { pos: {} } }, edge-1: { arc: { location: westeurop } }, edge-2: { agents: present } }
`,
  );
});
beforeEach(() => {
  cluster = {};
});
afterEach(() => rule(undefined));
afterAll(async () => {
  vi.unstubAllEnvs();
  api.close();
  await arm.close();
  workshop.remove();
});

/** What the subscription lets happen. */
async function rule(rules: object = {}): Promise<void> {
  await mkdir(workshop.folder, { recursive: true });
  await writeFile(join(workshop.folder, "subscription.json"), JSON.stringify(rules));
}

/** The lines of the doctor, and what it ends with. */
async function examined(
  options: { cluster?: string[]; network?: boolean } = {},
  env: NodeJS.ProcessEnv = {},
) {
  let text = "";
  const terminal = {
    out: (some: string) => void (text += some),
    err: (some: string) => void (text += some),
    paint: (_: string, some: string) => some,
  };
  const all = {
    ...workshop.env,
    ...{
      ARCFLUX_ARM_ENDPOINT: arm.url,
      ARCFLUX_AGENTS_CHART: join(import.meta.dirname, "../../lab/agents-chart"),
    },
    ...env,
  };
  const code = await doctor(file, { timeout: 20, ...options }, terminal, all);
  return { code, text };
}

it("finds nothing wrong where nothing is", async () => {
  const { code, text } = await examined({ cluster: ["edge-0"] });
  expect(text.match(/^(?!ok).*$/gm)).toEqual([""]);
  expect([code, text.includes("edge-0: Kubernetes v1.33.1 answers, as cluster-admin")]).toEqual([0, true]);
});

it("tells all that is wrong at once, each with the command that mends it", async () => {
  await rule({
    unregistered: ["Microsoft.Kubernetes"],
    actions: ["Microsoft.Kubernetes/*", "Microsoft.KubernetesConfiguration/extensions/*"],
  });
  cluster = { namespaces: ["default", "azure-arc", "azure-arc-release"], releases: ["azure-arc-release"] };
  const { code, text } = await examined({}, { ARCFLUX_AGENTS_CHART: "/nowhere" });
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/rg-edge`;
  expect(code).toBe(1);
  for (const line of [
    "error    resource provider: Microsoft.Kubernetes is NotRegistered, not Registered",
    `az provider register --namespace Microsoft.Kubernetes --subscription ${subscriptionId} --wait`,
    "error    region: westeurop does not offer Azure Arc for Kubernetes; 5 regions do",
    "Write another, such as arc: { location: westeurope }",
    "error    roles: rg-edge: the login may not Microsoft.KubernetesConfiguration/fluxConfigurations/read, Microsoft.KubernetesConfiguration/fluxConfigurations/write",
    `az role assignment create --assignee YOU --role Contributor --scope ${scope}`,
    "error    agents chart: the folder /nowhere has no Chart.yaml",
    "error    cluster: edge-0: an earlier Azure Arc installation left release azure-arc in azure-arc-release",
    "helm uninstall azure-arc --namespace azure-arc-release --kube-context edge-0",
    "error    cluster: edge-2: Azure has no connected cluster edge-2 in rg-edge",
    "Connect it (az connectedk8s connect --name edge-2 --resource-group rg-edge), or correct arc.name",
    "unknown  cluster: edge-1: the API server does not answer",
  ])
    expect(text).toContain(line);
});

it("takes agents for no leftover where Azure has the cluster", async () => {
  report(workshop.folder, { name: "edge-0", runs: "0".repeat(40), sets: [] });
  cluster = { namespaces: ["azure-arc"] };
  const { code, text } = await examined({ cluster: ["edge-0"] });
  expect([code, text]).toEqual([0, expect.not.stringContaining("earlier")]);
});

it("refuses controllers that the extension does not take over, and takes its own", async () => {
  const namespaces = ["default", "flux-system"];
  const told = async (controllers: NonNullable<PretendedCluster["controllers"]>): Promise<string[]> => {
    cluster = { namespaces, controllers };
    const { text } = await examined({ cluster: ["edge-0"] });
    return text.split("\n").filter((line) => /controllers|keep that Flux/.test(line));
  };
  const line = (by: string) => [
    `error    cluster: edge-0: its controllers are those of ${by}, which Azure's extension does not take over`,
    expect.stringContaining("Write platform: kubernetes, and keep that Flux") as string,
  ];
  expect(await told({ "kustomize-controller": {} })).toEqual(line("flux bootstrap"));
  expect(await told({ "kustomize-controller": { "fluxcd.controlplane.io/name": "flux" } })).toEqual(
    line("flux-operator"),
  );
  expect(await told({ "kustomize-controller": {}, "fluxconfig-agent": {} })).toEqual([]);
  expect(await told({ "some-app": {} })).toEqual([]);
});

it("refuses a kubeconfig that is not a cluster-admin's, and a group that is not there", async () => {
  await rule({ withoutGroups: ["rg-edge"] });
  cluster = { isAdmin: false };
  const { text } = await examined({ cluster: ["edge-0"] });
  expect(text).toContain("edge-0: the kubeconfig is not that of a cluster-admin");
  expect(text).toContain("az group create --name rg-edge --location westeurope");
});

it("what nobody could look at fails it, and ends no other look", async () => {
  const { code, text } = await examined(
    { cluster: ["edge-0"] },
    { ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:9" },
  );
  expect([code, text.match(/^unknown.*$/gm)?.length]).toEqual([1, 1]);
  expect(text).toMatch(/unknown {2}Azure: could not be asked: .*ECONNREFUSED/);
  expect(text).toContain("edge-0: Kubernetes v1.33.1 answers");
});

it.skipIf(!hasOpenssl)(
  "tries the endpoints of the agents through the proxy, each with what it is for",
  async () => {
    const { key, cert, caFile } = makeCertificates(workshop.folder, [
      "*.azure.com",
      "*.dp.kubernetesconfiguration.azure.com",
      "*.windows.net",
    ]);
    const server = createServer({ key, cert }, (socket) => socket.destroy());
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const open = [
      "management.azure.com",
      "westeurope.dp.kubernetesconfiguration.azure.com",
      "sts.windows.net",
    ];
    // What answers there is not who it should be.
    const proxy = await startConnectProxy(
      new Map([...open, "mcr.microsoft.com"].map((host) => [`${host}:443`, port])),
    );
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, readFileSync(caFile, "utf8")]);
    const login = "pr0xy-passw0rd";
    const env = {
      HTTPS_PROXY: proxy.url.replace("://", `://pat:${login}@`),
      NO_PROXY: "login.windows.net.invalid",
    };
    const { code, text } = await examined({ cluster: ["edge-0"], network: true }, env);
    setDefaultCACertificates(trusted);
    await proxy.close();
    server.close();
    expect(code).toBe(1);
    for (const line of [
      "ok       network: 3 of 9 endpoints answer from here; nobody can try *.data.mcr.microsoft.com",
      "error    network: no way from here to mcr.microsoft.com, images of the agents (its certificate is not trusted",
      "error    network: no way from here to gbl.his.arc.azure.com, the certificate of the cluster's identity (the proxy 127.0.0.1:",
    ])
      expect(text).toContain(line);
    expect(proxy.asked).toContain("westeurope.login.microsoft.com:443");
    expect(text).not.toContain(login);
  },
);

it.each([
  [
    { idtyp: "user", upn: "pat@example.com", oid: "1" },
    { principal: "User", name: "pat@example.com" },
  ],
  [
    { unique_name: "pat@example.com", oid: "1" },
    { principal: "User", name: "pat@example.com" },
  ],
  [
    { idtyp: "app", appid: "2", oid: "1" },
    { principal: "ServicePrincipal", name: "2" },
  ],
])("reads whose login a token of %j is", (claims, expected) => {
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  expect(loginOf(token)).toMatchObject({ objectId: "1", ...expected });
});

it.each([
  [[{ actions: ["*"] }], []],
  [[{ actions: ["*/read"] }], ["A/b/write"]],
  // Contributor, and a role that gives back what it leaves out.
  [[{ actions: ["*"], notActions: ["a/B/write"] }], ["A/b/write"]],
  [[{ actions: ["*"], notActions: ["a/B/write"] }, { actions: ["A/*"] }], []],
  [[], ["A/b/read", "A/b/write"]],
])("of roles %j, %j is missing", (roles, missing) => {
  expect(missingActions(roles, ["A/b/read", "A/b/write"])).toEqual(missing);
});
