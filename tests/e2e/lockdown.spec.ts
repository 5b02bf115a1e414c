import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import { refOf } from "../../lab/cluster/clusterApi.ts";
import { kustomizationState } from "../../lab/cluster/kustomizationState.ts";
import type { Cluster } from "../../lab/cluster/startCluster.ts";
import { startCluster } from "../../lab/cluster/startCluster.ts";
import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { root } from "../../lab/lab.ts";
import { Person } from "../../lab/person.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { arcflux } from "../cli/process.ts";

/** Two tenants: the sets of one reach for the other's namespace and secret, and for the fleet's source from its own. */
const tenants = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
defaults: { retryInterval: 1s, timeout: 30s }
tenants:
  pizza: { namespaces: [pizza] }
  burger: { namespaces: [burger, oven], role: cluster-admin }
sets:
  menu: { path: ./pizza, tenant: pizza }
  grill: { path: ./burger, tenant: burger, targetNamespace: burger, wait: false }
  thief: { path: ./thief, tenant: burger }
  peek: { path: ./peek, tenant: burger }
clusters: { edge-0: { kubeconfig: { context: edge-0 }, sets: { menu: {}, grill: {}, thief: {}, peek: {} } } }
`;
const map = (name: string, inNamespace = "") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${inNamespace} }\n`;
const manifests = {
  "pizza/all.yaml": `${map("menu")}---\napiVersion: v1\nkind: Secret\nmetadata: { name: recipe }\n`,
  "burger/all.yaml": `${map("grill")}---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: inner }
spec:
  { interval: 10m, retryInterval: 1s, prune: true, path: ./pizza, sourceRef: { kind: GitRepository, name: edge-config, namespace: flux-system } }
`,
  "thief/kustomization.yaml": "resources: [all.yaml]\nnamespace: pizza\n",
  "thief/all.yaml": map("stolen"),
  "peek/role.yaml":
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: peek }\nrules: [{ apiGroups: [''], resources: [secrets], verbs: [get] }]\n",
};

const tools = findClusterTools(root, process.env);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lockdown-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("with lockdown applies as flux-applier, and takes no source of another namespace (C07)", async () => {
  let cluster: Cluster | undefined;
  const git = await startGitServer({ root: path.join(dir, "git") });
  try {
    await seedRepository(path.join(dir, "git", "fleet.git"), "main");
    const person = new Person(path.join(dir, "git", "fleet.git"), path.join(dir, "person"));
    const content = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: applied, namespace: default }\n`;
    await person.commit("Add a set", { "set/config.yaml": content });
    cluster = await startCluster({
      ...{ dir: path.join(dir, "edge-0"), name: "edge-0", tools, lockdown: true },
      kustomizeController: tools.kustomizeController.azure,
    });
    const { api } = cluster;
    const namespace = "flux-system";
    await api.apply({
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata: { name: "fleet", namespace },
      spec: { url: `${git.url}/fleet.git`, interval: "10m", ref: { branch: "main" } },
    });
    const set = (name: string, from: string): KubernetesObject => ({
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      metadata: { name, namespace: from },
      spec: {
        ...{ interval: "10m", retryInterval: "1s", prune: true, path: "./set" },
        sourceRef: { kind: "GitRepository", name: "fleet", namespace },
      },
    });
    await Promise.all([api.apply(set("own", namespace)), api.apply(set("strange", "default"))]);
    const message = async (name: string, from: string) => {
      const object = await api.read({ ...refOf(set(name, from)) });
      return object && kustomizationState(object).message;
    };
    await waitUntil("both are refused", async () => {
      const [own = "", strange = ""] = await Promise.all([
        message("own", namespace),
        message("strange", "default"),
      ]);
      return own.includes("flux-applier") && strange.includes("cross-namespace");
    });
    expect(
      await api.list("v1", "ConfigMap", { namespace: "default", labels: "kustomize.toolkit.fluxcd.io/name" }),
    ).toEqual([]);

    await api.apply({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "flux-applier", namespace },
    });
    await api.apply({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "flux-applier" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name: "flux-applier", namespace }],
    });
    const applied = { apiVersion: "v1", kind: "ConfigMap", name: "applied", namespace: "default" };
    await waitUntil("the set is applied", () => api.read(applied), {
      instead: async () => (await message("own", namespace)) ?? "",
    });
    await tenantsStayApart(api, git.url, (files) => person.commit("Tenants", files), message);
  } finally {
    await cluster?.stop();
    await git.close();
  }
});

/** What `arcflux render` writes, applied by real Flux: each set as its tenant, in its tenant's namespaces alone. */
async function tenantsStayApart(
  api: Cluster["api"],
  url: string,
  commit: (files: Readonly<Record<string, string>>) => Promise<unknown>,
  message: (name: string, from: string) => Promise<string | undefined>,
): Promise<void> {
  const file = path.join(dir, "fleet.yaml");
  await writeFile(file, tenants);
  const { code, out, err } = await arcflux(["render", file, "--json"], dir);
  expect(`${code} ${err}${code === 0 ? "" : out}`).toBe("0 ");
  const { files } = JSON.parse(out) as { files: Record<string, string> };
  await commit({ ...manifests, ...files });
  const namespace = "flux-system";
  await api.apply({
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "edge-config", namespace },
    spec: { url: `${url}/fleet.git`, interval: "10m", ref: { branch: "main" } },
  });
  await api.apply({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: "edge-config-bootstrap", namespace },
    spec: {
      ...{ interval: "10m", retryInterval: "1s", prune: true, path: "./clusters/edge-0/flux" },
      sourceRef: { kind: "GitRepository", name: "edge-config" },
    },
  });
  const configMap = (name: string, inside: string) => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", name, namespace: inside },
  });
  const all = [
    ["menu", namespace],
    ["grill", namespace],
    ["thief", namespace],
    ["peek", namespace],
    ["inner", "burger"],
  ] as const;
  const instead = async () =>
    (
      await Promise.all(all.map(async ([name, from]) => `${name}: ${(await message(name, from)) ?? "none"}`))
    ).join("\n");
  await waitUntil(
    "each tenant has what is its own",
    async () => {
      const found = await Promise.all([
        api.read(configMap("menu", "pizza")),
        api.read(configMap("grill", "burger")),
      ]);
      return found.every((one) => one !== undefined);
    },
    { instead },
  );
  const refusals = [
    ["thief", namespace, /tenant-burger.*cannot.*"pizza"/s],
    ["peek", namespace, /tenant-burger.*clusterroles/s],
    ["inner", "burger", /cross-namespace/],
  ] as const;
  await waitUntil(
    "what reaches further is refused",
    async () => {
      const said = await Promise.all(refusals.map(([name, from]) => message(name, from)));
      return said.every((text = "", index) => refusals[index]![2].test(text));
    },
    { instead },
  );
  expect(await api.read(configMap("stolen", "pizza"))).toBeUndefined();

  /** Whether the account that Flux impersonates for burger's sets may read Secrets somewhere, as the API server says. */
  const mayRead = async (inside: string) => {
    const answer = await api.request({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: `system:serviceaccount:${namespace}:tenant-burger`,
          resourceAttributes: { verb: "get", resource: "secrets", namespace: inside },
        },
      },
    });
    return (answer["status"] as { allowed?: boolean }).allowed === true;
  };
  expect(await Promise.all(["burger", "oven", "pizza", namespace].map(mayRead))).toEqual([
    ...[true, true, false, false],
  ]);
}
