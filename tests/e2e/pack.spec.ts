import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import type { Controller } from "../../lab/cluster/clusterTools.ts";
import { startClusterApi } from "../../lab/cluster/startClusterApi.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { Person } from "../../lab/person.ts";
import { LabStack, projectRoot } from "../../lab/stack.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { arcflux } from "../cli/process.ts";
import {
  bothVersions,
  type ClusterLab,
  configMap,
  OnCluster,
  startClusterLab,
} from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

const times = "interval: 5m, retryInterval: 5s, timeout: 1m";
const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git, access: token }
platform: kubernetes
config: packed
flux: { lockdown: false }
bootstrap: { ${times} }
defaults: { ${times} }
clusters:
  mgmt: { folder: clusters/mgmt, role: management, managedBy: mgmt, sets: { packs: {} } }
  blue: { managedBy: mgmt, sets: { shop: {} } }
`;
const packs = "clusters/mgmt/sets/packs";
const readToken = "only-for-reading-4711";
const core = (kind: string, name: string, namespace?: string) => ({
  apiVersion: "v1",
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
});
const setRef = {
  apiVersion: "addons.cluster.x-k8s.io/v1beta2",
  kind: "ClusterResourceSet",
  namespace: "default",
  name: "blue",
};

let test: ClusterLab;
beforeAll(async () => {
  test = await startClusterLab(bothVersions);
});
afterAll(() => test.stop());

it("a management cluster with the real Cluster API brings Flux by a pack, with a key that may only read", async () => {
  const [home, there] = test.kubernetes.clusters;
  const [mgmt, blue] = [
    new OnCluster(test, home!.context, "packed"),
    new OnCluster(test, there!.context, "packed"),
  ];
  const tools = findClusterTools(projectRoot, process.env);
  if (tools.clusterApi === undefined) throw new Error("Run npm run setup -- --cluster --cluster-api first.");
  const token = test.env["ARCFLUX_GIT_TOKEN"] ?? "";
  const git = await startGitServer({ root: dirname(test.lab.gitDir), token, readToken });
  const manager = await startClusterApi(home!, tools.clusterApi);
  const dir = await mkdtemp(join(test.lab.dir, "packs-"));
  try {
    const url = `${git.url}/fleet.git`;
    await test.person.commit("Shop", configMap("clusters/blue/sets/shop", "shop", { open: "yes" }));
    const stack = await LabStack.init(test.lab, "packs", fleet);
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    // Files alone: nobody gave it a way to the clusters.
    expect(stdout).not.toMatch(/kubernetes:/);

    await writeFile(
      join(dir, "flux.yaml"),
      await fluxOf(tools.sourceController, tools.kustomizeController.azure),
    );
    const pack = async (
      extra: readonly Readonly<Record<string, string>>[],
    ): Promise<Record<string, string>> => {
      const objects = extra.flatMap((data) => Object.values(configMap("", data["name"]!, { v: data["v"]! })));
      await writeFile(join(dir, "extra.yaml"), objects.join("---\n"));
      const args = ["pack", "mgmt", "blue", "--file", stack.fleetFile, "--json"];
      const inputs = ["extra.yaml", "flux.yaml"].flatMap((name) => ["--manifests", join(dir, name)]);
      const ran = await arcflux([...args, ...inputs], dir, {
        env: { ...test.env, ARCFLUX_REPOSITORY_URL: url },
      });
      expect(ran).toMatchObject({ code: 0, err: "" });
      return (JSON.parse(ran.out) as { files: Record<string, string> }).files;
    };
    const commit = async (message: string, files: Readonly<Record<string, string | null>>): Promise<void> => {
      const tip = await test.person.commit(message, files);
      await mgmt.fetchNow();
      await mgmt.untilReady("packs", tip);
    };

    const first = await pack([
      { name: "packed", v: "1" },
      { name: "left", v: "1" },
    ]);
    await test.person.commit("Pack", first);
    const key = secret("packed-auth", "flux-system", { username: "git", password: readToken });
    // What the temporary management cluster does for the permanent one, by hand.
    for (const object of [key, ...beginning(first[`${packs}/mgmt.yaml`]!)]) await mgmt.api.apply(object);
    await mgmt.api.apply({
      ...secret("blue-read-key", "default", { "key.yaml": JSON.stringify(key) }),
      type: "addons.cluster.x-k8s.io/resource-set",
    });
    await comesUp(mgmt, await readFile(there!.kubeconfig, "utf8"));

    // The set's content is there: Cluster API brought the pack, Flux fetched with the key, and applied.
    await blue.until("the content of the set", () => blue.data("shop"));
    expect([await blue.data("shop"), await blue.data("packed")]).toEqual([{ open: "yes" }, { v: "1" }]);
    const reader = new Person(url.replace("://", `://git:${readToken}@`), join(dir, "reader"));
    await expect(reader.commit("Mine now", { "mine.txt": "x" })).rejects.toThrow(/push/);
    expect(await test.repository.show("mine.txt").catch(() => undefined)).toBeUndefined();

    // A changed pack is applied again, and the object is what the manifest says; what is taken out stays.
    await blue.api.patch(core("ConfigMap", "packed", "default"), { data: { byHand: "x" } });
    const second = await pack([{ name: "packed", v: "2" }]);
    const gone = Object.keys(first).filter((path) => !Object.hasOwn(second, path));
    expect(gone).toHaveLength(1);
    await commit("Pack again", { ...second, ...Object.fromEntries(gone.map((path) => [path, null])) });
    await blue.until("the new pack", async () => (await blue.data("packed"))?.["v"] === "2");
    expect([await blue.data("packed"), await blue.data("left")]).toEqual([{ v: "2" }, { v: "1" }]);

    // A pack that goes leaves everything on the cluster.
    await commit("No pack", { [`${packs}/blue.yaml`]: null });
    await mgmt.until("its set goes", async () => (await mgmt.api.read(setRef)) === undefined);
    expect([await blue.data("packed"), await blue.data("shop")]).toEqual([{ v: "2" }, { open: "yes" }]);
    expect(manager.failure()).toBeUndefined();
  } finally {
    await manager.stop();
    await git.close();
    await rm(dir, { recursive: true, force: true });
  }
});

/** The namespace and definitions of Flux, as its own export begins; the controllers run beside the API server. */
async function fluxOf(...controllers: readonly Controller[]): Promise<string> {
  const files = await Promise.all(
    controllers.map(async ({ crds }) => (await readdir(crds)).map((name) => join(crds, name))),
  );
  const texts = await Promise.all(files.flat().map((file) => readFile(file, "utf8")));
  return ["apiVersion: v1\nkind: Namespace\nmetadata: { name: flux-system }\n", ...texts].join("---\n");
}

/** The GitRepository and bootstrap in the file of a pack. */
function beginning(file: string): KubernetesObject[] {
  const [, own] = parseAllDocuments(file).map((one) => one.toJS() as { data: Record<string, string> });
  return parseAllDocuments(own!.data["objects.yaml"]!).map((one) => one.toJS() as KubernetesObject);
}

function secret(name: string, namespace: string, stringData: Record<string, string>): KubernetesObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData };
}

/** What a provider of infrastructure does: the Cluster, the Secret to reach it by, and the word that it is up. */
async function comesUp({ api }: OnCluster, kubeconfig: string): Promise<void> {
  const labels = { "cluster.x-k8s.io/cluster-name": "blue" };
  const type = "cluster.x-k8s.io/secret";
  const access = secret("blue-kubeconfig", "default", { value: kubeconfig });
  await api.apply({ ...access, type, metadata: { ...access.metadata, labels } });
  const { port, hostname: host } = new URL(/server: (\S+)/.exec(kubeconfig)![1]!);
  const cluster = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster" };
  await api.apply({
    ...cluster,
    metadata: { name: "blue", namespace: "default", labels: { "arcflux.io/cluster": "blue" } },
    spec: { controlPlaneEndpoint: { host, port: Number(port) } },
  });
  const since = { lastTransitionTime: new Date().toISOString(), message: "" };
  const status = {
    initialization: { controlPlaneInitialized: true, infrastructureProvisioned: true },
    conditions: [{ type: "ControlPlaneInitialized", status: "True", reason: "Initialized", ...since }],
  };
  await api.patch({ ...cluster, name: "blue", namespace: "default" }, { status }, "status");
}
