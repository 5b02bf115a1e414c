import { mkdtempSync, rmSync } from "node:fs";
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

const tools = findClusterTools(root, process.env);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lockdown-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("with lockdown applies as flux-applier, and takes no source of another namespace", async () => {
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
  } finally {
    await cluster?.stop();
    await git.close();
  }
});
