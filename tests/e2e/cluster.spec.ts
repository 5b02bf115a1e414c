import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import type { Controller } from "../../lab/cluster/clusterTools.ts";
import type { Cluster, ClusterOptions } from "../../lab/cluster/startCluster.ts";
import { freePorts } from "../../lab/cluster/freePorts.ts";
import { startCluster } from "../../lab/cluster/startCluster.ts";
import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import { root, startLab } from "../../lab/lab.ts";
import { birth } from "../../lab/lock.ts";
import { run } from "../../lab/run.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { processesWith } from "../support/processes.ts";

const tools = findClusterTools(root, process.env);

let dir: string;
const clusters: Cluster[] = [];
const lines: string[] = [];

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-cluster-"));
});
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
  lines.length = 0;
  rmSync(dir, { recursive: true, force: true });
});

async function start(name = "edge-0", more: Partial<ClusterOptions> = {}): Promise<Cluster> {
  const cluster = await startCluster({
    dir: path.join(dir, name),
    name,
    tools,
    kustomizeController: tools.kustomizeController.newest,
    log: (line) => lines.push(line),
    ...more,
  });
  clusters.push(cluster);
  return cluster;
}

const configMap = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { from: name },
});

const programs = [
  "etcd",
  "guard",
  "kube-apiserver",
  "kube-controller-manager",
  "kustomize-controller",
  "source-controller",
];

/** Processes of our clusters: all of them have TMPDIR in the folder of their cluster. */
const left = () => processesWith(dir);

it("has Flux's kinds and namespace, and controllers that work", async () => {
  const cluster = await start();
  expect(cluster.context).toBe("edge-0");
  expect(Object.keys(cluster.pids).sort()).toEqual(programs);
  expect(statSync(cluster.kubeconfig).mode & 0o777).toBe(0o600);
  const crds = await cluster.api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  expect(crds.map(({ metadata }) => metadata.name).sort()).toEqual([
    "alerts.notification.toolkit.fluxcd.io",
    "buckets.source.toolkit.fluxcd.io",
    "externalartifacts.source.toolkit.fluxcd.io",
    "gitrepositories.source.toolkit.fluxcd.io",
    "helmcharts.source.toolkit.fluxcd.io",
    "helmreleases.helm.toolkit.fluxcd.io",
    "helmrepositories.source.toolkit.fluxcd.io",
    "kustomizations.kustomize.toolkit.fluxcd.io",
    "ocirepositories.source.toolkit.fluxcd.io",
    "providers.notification.toolkit.fluxcd.io",
    "receivers.notification.toolkit.fluxcd.io",
  ]);
  expect(await cluster.api.read({ apiVersion: "v1", kind: "Namespace", name: "flux-system" })).toBeDefined();

  // Flux's own CRD refuses what a permissive one would take.
  const wrong = cluster.api.apply({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: "wrong", namespace: "flux-system" },
    spec: { interval: "10x", prune: true, sourceRef: { kind: "GitRepository", name: "none" } },
  });
  await expect(wrong).rejects.toThrow(/spec\.interval: Invalid value: "10x"/);

  // Deleting a namespace takes a controller manager.
  const namespace = { apiVersion: "v1", kind: "Namespace", name: "short-lived" };
  await cluster.api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "short-lived" } });
  await cluster.api.delete(namespace);
  await waitUntil("the namespace is gone", async () => (await cluster.api.read(namespace)) === undefined);
});

it("runs several at once, of different versions, which know nothing of each other, and leaves no process and no file", async () => {
  const { azure } = tools.kustomizeController;
  const [one, two] = await Promise.all([start("one"), start("two", { kustomizeController: azure })]);
  await Promise.all([one.api.apply(configMap("one")), two.api.apply(configMap("two"))]);
  const names = async ({ api }: Cluster) =>
    (await api.list("v1", "ConfigMap", { namespace: "default" })).map(({ metadata }) => metadata.name);
  expect(await names(one)).toContain("one");
  expect(await names(one)).not.toContain("two");
  expect(await names(two)).toContain("two");
  expect(one.server).not.toBe(two.server);
  // A field that kustomize-controller has since 1.9; Azure's extension has 1.7.
  const fieldsOf = async ({ api }: Cluster) =>
    JSON.stringify(
      await api.read({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: "kustomizations.kustomize.toolkit.fluxcd.io",
      }),
    );
  expect(await fieldsOf(one)).toContain("substituteStrategy");
  expect(await fieldsOf(two)).not.toContain("substituteStrategy");
  // A token is good for its own cluster only.
  const strange = readFileSync(one.kubeconfig, "utf8").replace(/server: .*/, `server: ${two.server}`);
  writeFileSync(path.join(dir, "strange"), strange);
  const env = { PATH: process.env["PATH"] ?? "", KUBECONFIG: path.join(dir, "strange"), KUBECACHEDIR: dir };
  const asked = await run(
    tools.kubectl,
    ["get", "ns", "--insecure-skip-tls-verify", "--certificate-authority="],
    { cwd: dir, env },
  );
  expect(asked.code).not.toBe(0);
  expect(asked.stderr).toMatch(/Unauthorized|must be logged in/);
  rmSync(path.join(dir, "strange"));

  const pids = [one, two].flatMap((cluster) => Object.values(cluster.pids));
  expect(pids.length).toBe(12);
  await one.stop();
  expect(await names(two)).toContain("two");
  await two.stop();
  expect(pids.filter((pid) => birth(pid) !== "")).toEqual([]);
  expect(readdirSync(dir).filter((name) => name === "one" || name === "two")).toEqual([]);
  expect(lines).toEqual([]);
});

it.each([
  ["the lab is killed", false],
  ["the lab and the guard of its cluster are killed", true],
])(
  "when %s, the next start in the same folder works, and nothing of the old one is left",
  async (_, guardToo) => {
    const args = [path.join(root, "lab", "cli.ts"), "--dir", dir, "--cluster-names", "edge-0", "--"];
    const command = ["sh", "-c", "kubectl get namespace flux-system -o name && exec sleep 600"];
    const lab = spawn(process.execPath, [...args, ...command], {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let errors = "";
    lab.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const said = await new Promise<string>((resolve) => {
      lab.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
      lab.once("exit", () => resolve(errors));
    });
    expect(said).toBe("namespace/flux-system\n");
    const folder = path.join(dir, "clusters", "edge-0");
    const held = (await processesWith(folder)).map(({ pid }) => pid);
    expect(held.length).toBe(5);
    if (guardToo) {
      const noted = JSON.parse(readFileSync(path.join(folder, "processes.json"), "utf8")) as {
        name: string;
        pid: number;
      }[];
      process.kill(noted.find(({ name }) => name === "guard")?.pid ?? 0, "SIGKILL");
    }
    // The lab, and the command in it that would outlive it.
    process.kill(-(lab.pid ?? 0), "SIGKILL");
    if (!guardToo) await waitUntil("all end", async () => (await processesWith(dir)).length === 0);
    else expect((await processesWith(folder)).map(({ pid }) => pid)).toEqual(held);

    const next = await run(process.execPath, [...args, "kubectl", "get", "ns", "-o", "name"], {
      cwd: dir,
      env: process.env,
    });
    expect(next).toMatchObject({ code: 0, stderr: "" });
    expect(next.stdout).toContain("namespace/flux-system\n");
    expect(held.filter((pid) => birth(pid) !== "")).toEqual([]);
    expect(await processesWith(dir)).toEqual([]);
    expect(existsSync(path.join(dir, "clusters"))).toBe(false);
    expect(existsSync(path.join(dir, "kubeconfig"))).toBe(false);
  },
);

it("ends the processes also when their guard was killed", async () => {
  const cluster = await start();
  const { guard = 0, ...others } = cluster.pids;
  process.kill(guard, "SIGKILL");
  await waitUntil("the death is noticed", () => Promise.resolve(cluster.failure() !== undefined));
  expect(Object.values(others).filter((pid) => birth(pid) === "")).toEqual([]);
  await cluster.stop();
  expect(await left()).toEqual([]);
});

it("tells which process ended by itself, with the end of its log, and keeps the logs", async () => {
  const cluster = await start();
  process.kill(cluster.pids["kube-apiserver"] ?? 0, "SIGKILL");
  const wait = waitUntil("this never comes", () => Promise.resolve(false), {
    failure: () => cluster.failure(),
  });
  const log = path.join(dir, "edge-0", "logs", "kube-apiserver.log");
  await expect(wait).rejects.toThrow(
    `kube-apiserver of the cluster edge-0 ended by itself (SIGKILL). The end of ${log}:\n  `,
  );
  expect(lines).toEqual([cluster.failure()?.message]);
  await cluster.stop();
  expect(readdirSync(path.join(dir, "edge-0"))).toEqual(["logs"]);
  expect(statSync(log).size).toBeGreaterThan(0);
  expect(await left()).toEqual([]);
});

/** A controller that is a script, with the CRDs of the real one. */
function scripted(name: string, script: string): string {
  const file = path.join(dir, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

it("leaves nothing but logs when a program fails at the start", async () => {
  const broken: Controller = {
    program: scripted("broken", "echo 'unknown flag: --requeue-dependency' >&2; exit 2"),
    crds: tools.kustomizeController.newest.crds,
  };
  await expect(start("edge-0", { kustomizeController: broken })).rejects.toThrow(
    "kustomize-controller of the cluster edge-0 ended by itself (exit code 2). The end of " +
      `${dir}/edge-0/logs/kustomize-controller.log:\n  unknown flag: --requeue-dependency`,
  );
  expect(await left()).toEqual([]);
  expect(readdirSync(path.join(dir, "edge-0"))).toEqual(["logs"]);
});

it("starts again with other ports when one was taken meanwhile", async () => {
  const marker = path.join(dir, "tried");
  // The first start finds its port in use: node listens there before kube-apiserver does.
  const listen = `process.argv.slice(1).forEach((one) => {
    const port = /^--secure-port=(\\d+)$/.exec(one)?.[1];
    if (port) require("node:net").createServer().listen(Number(port), "127.0.0.1");
  }); setTimeout(() => process.exit(), 20000)`;
  const kubeApiserver = scripted(
    "kube-apiserver",
    `if [ ! -e ${marker} ]; then
  touch ${marker}
  ${process.execPath} -e '${listen}' -- "$@" &
  sleep 2
fi
exec ${tools.kubeApiserver} "$@"`,
  );
  const cluster = await start("edge-0", { tools: { ...tools, kubeApiserver } });
  expect(lines).toEqual(["A port for the cluster edge-0 was taken meanwhile; it starts again with others."]);
  expect(cluster.failure()).toBeUndefined();
});

it("uses the cluster of a kubeconfig, changes nothing there, and says when Flux is not on it", async () => {
  const cluster = await start("elsewhere");
  const before = await cluster.api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const { kubeconfig } = cluster;
  const lab = await startLab({ dir: path.join(dir, "lab"), kubeconfig });
  try {
    expect(lab.env["KUBECONFIG"]).toBe(kubeconfig);
    expect(lab.env["PULUMI_DEBUG_PROVIDERS"]).not.toContain("kubernetes");
    expect(lab.kubernetes).toMatchObject({ contexts: ["elsewhere"], clusters: [] });
    const crds = await cluster.api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    expect(crds.map(({ metadata }) => metadata["resourceVersion"])).toEqual(
      before.map(({ metadata }) => metadata["resourceVersion"]),
    );
  } finally {
    await lab.stop();
  }
  expect(await cluster.api.list("v1", "Namespace")).not.toEqual([]);

  await expect(startLab({ dir: path.join(dir, "lab"), kubeconfig, contexts: ["prod"] })).rejects.toThrow(
    `${kubeconfig} has no context prod. Its contexts: elsewhere. Name those to use with --cluster-names.`,
  );
  for (const { metadata } of before.filter((crd) => crd.metadata.name.startsWith("kustomizations."))) {
    await cluster.api.delete({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      name: metadata.name,
    });
  }
  const kind = "kustomize.toolkit.fluxcd.io/v1";
  await waitUntil("the kind is gone", async () => !(await cluster.api.knows(kind, "Kustomization")));
  await expect(startLab({ dir: path.join(dir, "lab"), kubeconfig })).rejects.toThrow(
    "The cluster of the context elsewhere does not know Kustomization (kustomize.toolkit.fluxcd.io/v1).",
  );
  const dead = path.join(dir, "dead");
  const [closed] = await freePorts(1);
  const text = readFileSync(kubeconfig, "utf8");
  writeFileSync(dead, text.replace(/(server"?: "?https:\/\/127\.0\.0\.1:)\d+/, `$1${closed}`));
  await expect(startLab({ dir: path.join(dir, "lab"), kubeconfig: dead })).rejects.toThrow(
    /^The cluster of the context elsewhere does not answer: .*ECONNREFUSED/,
  );
});
