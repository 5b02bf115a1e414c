import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { openBuilder } from "../build/index.ts";
import { folderTree } from "../checks/folderTree.ts";
import { loadFleet } from "../fleet/load.ts";
import type { Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { impactOf } from "../impact/index.ts";
import { median, seconds } from "./measure.ts";

const run = promisify(execFile);
const toReach = 2;

/**
 * What a change of one shared folder and one shared variable reaches in a fleet of so many clusters with ten sets, whose
 * generated files are committed: both versions loaded, rendered, planned and built. The peer lists what git says differs.
 */
export async function benchImpact(clusters: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "arcflux-bench-impact-"));
  try {
    const [before, after] = [fleetText(clusters, "a"), fleetText(clusters, "b")];
    const sides = [join(folder, "before"), join(folder, "after")] as const;
    for (const [index, side] of sides.entries()) await writeSide(side, loaded(before), index + 1);
    const once = async (): Promise<number> => {
      const builder = openBuilder({ cache: join(folder, "cache") });
      if ("kind" in builder) throw new Error(builder.message);
      const [base, head] = sides.map(folderTree);
      const { clusters: reached } = await impactOf(
        { fleet: loaded(before), tree: base! },
        { fleet: loaded(after), tree: head! },
        { into: "main", others: new Map(), pinned: () => Promise.resolve(undefined), builder },
      );
      await builder.close();
      if (reached.length !== clusters) throw new Error(`${reached.length} clusters are reached, not all.`);
      return reached.length;
    };
    const cold = await seconds(once);
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) times.push(await seconds(once));
    const peer = await seconds(() =>
      run("git", ["diff", "--no-index", "--stat", ...sides]).catch(() => undefined),
    );
    const warm = median(times);
    return [
      `Impact of a change that reaches all of ${clusters} clusters x 10 sets`,
      `  cold                     ${cold.toFixed(2)} s`,
      `  warm                     ${warm.toFixed(2)} s (to reach: at most ${toReach}; ${warm <= toReach ? "reached" : "NOT reached"})`,
      `  git diff of both sides   ${peer.toFixed(2)} s`,
    ].join("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sets = Array.from({ length: 10 }, (_, index) => `set-${index}`);

function fleetText(clusters: number, site: string): string {
  return [
    "apiVersion: arcflux/v1",
    "platform: kubernetes",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "sets:",
    ...sets.map((set) => `  ${set}: { path: ./apps/${set} }`),
    "groups:",
    `  all: { match: {}, variables: { site: ${site} }, sets: { ${sets.map((set) => `${set}: {}`).join(", ")} } }`,
    "clusters:",
    ...Array.from(
      { length: clusters },
      (_, index) => `  store-${index}: { kubeconfig: { context: store-${index} } }`,
    ),
  ].join("\n");
}

function loaded(text: string): Fleet {
  const { fleet } = loadFleet(text, "fleet.yaml");
  if (fleet === undefined) throw new Error("The fleet file has errors.");
  return fleet;
}

async function writeSide(root: string, fleet: Fleet, value: number): Promise<void> {
  const files = new Map<string, string>();
  for (const set of sets) {
    files.set(`apps/${set}/kustomization.yaml`, "resources: [config.yaml]\n");
    const data = `data: { site: "\${site}", value: "${set === "set-0" ? value : 1}" }`;
    files.set(
      `apps/${set}/config.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${set} }\n${data}\n`,
    );
  }
  for (const cluster of fleet.clusters)
    for (const [path, text] of Object.entries(renderClusterFolder(cluster)))
      files.set(`${cluster.folder}/${path}`, text);
  const folders = new Set([...files.keys()].map((path) => dirname(join(root, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (const [path, text] of files) await writeFile(join(root, path), text);
}
