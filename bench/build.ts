import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openBuilder, type BuilderOptions } from "../build/index.ts";
import { folderTree } from "../checks/folderTree.ts";
import { seconds } from "./measure.ts";

const run = promisify(execFile);
const sets = Array.from({ length: 10 }, (_, index) => `apps/set-${index}`);

/**
 * Builds ten sets of so many clusters, on trees that they share: cold, and again from the cache by a builder of its own;
 * against `kustomize build` run once for each tree, where there is one on PATH.
 */
export async function benchBuild(clusters: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "arcflux-bench-build-"));
  try {
    for (const set of sets) await writeSet(join(folder, set), set);
    const all = (): Promise<number> =>
      seconds(() => buildAll(folder, clusters, { cache: join(folder, "cache") }));
    const cold = await all();
    const memory = process.memoryUsage().rss / 1e6;
    const warm = await all();
    const peer = await seconds(async () => {
      for (const set of sets) await run("kustomize", ["build", join(folder, set)]);
    }).catch(() => undefined);
    const against =
      peer === undefined
        ? "  kustomize is not on PATH, so there is nothing to compare with"
        : `  kustomize, once a tree    ${peer.toFixed(2)} s (cold is ${(cold / peer).toFixed(1)} times that, warm ${(warm / peer).toFixed(2)})`;
    return [
      `Building ${clusters} clusters x ${sets.length} sets on shared trees`,
      `  cold                     ${cold.toFixed(2)} s, ${memory.toFixed(0)} MB`,
      `  warm                     ${warm.toFixed(2)} s`,
      against,
    ].join("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function buildAll(folder: string, clusters: number, options: BuilderOptions): Promise<void> {
  const builder = openBuilder(options);
  if ("kind" in builder) throw new Error(builder.message);
  const tree = folderTree(folder);
  const requests = Array.from({ length: clusters }, () =>
    sets.map((path) => ({ tree, spec: { path } })),
  ).flat();
  const outcomes = await builder.build(requests);
  await builder.close();
  if (outcomes.some(({ kind }) => kind !== "built")) throw new Error("A set was not built.");
}

/** A Deployment with a Service, and a ConfigMap from a file, in a namespace. */
async function writeSet(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = {
    "kustomization.yaml":
      "resources: [web.yaml]\nnamespace: shop\nconfigMapGenerator: [{name: conf, files: [app.conf]}]\n",
    "app.conf": `name=${name}\n`,
    "web.yaml": [
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}",
      "spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: web, image: nginx}]}}}",
      "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n",
    ].join("\n"),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
}
