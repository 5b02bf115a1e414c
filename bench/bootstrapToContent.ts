import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BareGit } from "../lab/bareGit.ts";
import type { ClusterApi, KubernetesObject } from "../lab/cluster/clusterApi.ts";
import { refOf } from "../lab/cluster/clusterApi.ts";
import { waitUntil } from "../lab/cluster/waitUntil.ts";
import { startLab } from "../lab/lab.ts";
import { Person } from "../lab/person.ts";
import { LabStack } from "../lab/stack.ts";
import { median, report, seconds } from "./measure.ts";

const rounds = 5;
const cluster = "edge-0";
const content = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "content" };

/**
 * From the two Flux objects to a set's content on a real cluster: the objects made by an update, counted from the last of
 * them, against the same two made by hand on the same files.
 */
export async function benchBootstrapToContent(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  const lab = await startLab({ dir, clusters: [{ name: cluster }] });
  const giveUp = (): void => {
    void lab.stop().finally(() => {
      rmSync(dir, { recursive: true, force: true });
      process.exit(1);
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, giveUp);
  try {
    const api = lab.kubernetes?.api(cluster);
    if (api === undefined) throw new Error("The lab has no cluster.");
    const person = new Person(lab.gitDir, join(dir, "person"));
    await person.commit("Manifests", {
      "apps/content/content.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: content, namespace: default }\ndata: { a: b }\n",
    });
    const stack = await LabStack.init(lab, "bench", fleet);
    const repository = new BareGit(lab.gitDir);
    const times = { ours: [] as number[], other: [] as number[] };
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await byUpdate(stack, api);
      const objects = await fluxObjects(api);
      const files = await generatedFiles(repository);
      await mustOperate(stack, "destroy");
      await untilGone(api);
      await person.commit("The same files, by hand", files);
      const other = await byHand(api, objects);
      await remove(api, objects);
      await person.commit(
        "Take them out",
        Object.fromEntries(Object.keys(files).map((path) => [path, null])),
      );
      if (round > 0) {
        times.ours.push(ours);
        times.other.push(other);
      }
    }
    const result = { ...times, ratio: median(times.ours) / median(times.other) };
    const title = `From the two Flux objects to a set's content on the cluster, ${rounds} rounds`;
    return report(title, ["Arcflux, last resource", "by hand"], result, 1.2);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, giveUp);
    await lab.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
flux: { version: "2.9" }
sets: { content: { path: ./apps/content } }
clusters:
  ${cluster}: { kubeconfig: { context: ${cluster} }, sets: { content: {} } }
`;

/** Seconds from the bootstrap Kustomization, the last that an update makes, to the content. */
async function byUpdate(stack: LabStack, api: ClusterApi): Promise<number> {
  const update = mustOperate(stack, "up");
  // A failed update is told below; until then nobody looks at it.
  update.catch(() => undefined);
  const last = kustomization("edge-config-bootstrap");
  await until("the bootstrap Kustomization", update, async () => (await api.read(last)) !== undefined);
  const time = await seconds(() => untilContent(api));
  await update;
  return time;
}

async function byHand(api: ClusterApi, objects: readonly KubernetesObject[]): Promise<number> {
  for (const object of objects) await api.apply(object);
  return await seconds(() => untilContent(api));
}

/** The GitRepository and the bootstrap as the update made them, without what the cluster added. */
async function fluxObjects(api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const repository = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    namespace: "flux-system",
    name: "edge-config",
  };
  const found = await Promise.all(
    [repository, kustomization("edge-config-bootstrap")].map((ref) => api.read(ref)),
  );
  return found.map((object) => {
    if (object === undefined) throw new Error("The update made no Flux objects.");
    const { name, namespace = "" } = object.metadata;
    const { apiVersion, kind, spec } = object as KubernetesObject & { spec: unknown };
    return { apiVersion, kind, metadata: { name, namespace }, spec };
  });
}

async function generatedFiles(repository: BareGit): Promise<Record<string, string>> {
  const paths = Object.keys(await repository.files()).filter((path) => path.startsWith("clusters/"));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await repository.show(path)] as const)),
  );
}

/** The Kustomization first: it prunes, and for that its source must be there. */
async function remove(api: ClusterApi, objects: readonly KubernetesObject[]): Promise<void> {
  const [repository, bootstrap] = objects.map(refOf);
  if (bootstrap) await api.delete(bootstrap);
  await untilGone(api);
  if (repository) await api.delete(repository);
}

const untilContent = (api: ClusterApi): Promise<unknown> =>
  waitUntil("the content", async () => (await api.read(content)) !== undefined, { everyMs: 20 });

const untilGone = (api: ClusterApi): Promise<unknown> =>
  waitUntil("the content goes", async () => {
    const kustomizations = await api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
    return kustomizations.length === 0 && (await api.read(content)) === undefined;
  });

/** Waits, and fails at once when the update does. */
function until(what: string, update: Promise<void>, look: () => Promise<boolean>): Promise<unknown> {
  const failed = update.then(() => new Promise<void>(() => undefined));
  return Promise.race([failed, waitUntil(what, look, { everyMs: 20, seconds: 120 })]);
}

async function mustOperate(stack: LabStack, command: "up" | "destroy"): Promise<void> {
  const ran = await stack.operate(command, ["--skip-preview", "--suppress-progress"]);
  if (ran.code !== 0) throw new Error(`pulumi ${command} failed:\n${ran.stdout}${ran.stderr}`);
}

function kustomization(name: string) {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    namespace: "flux-system",
    name,
  };
}
