import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { startLab, type Lab } from "../lab/lab.ts";
import { mustRun, run } from "../lab/run.ts";
import { projectRoot } from "../lab/stack.ts";
import { bytesText, startCountingProxy } from "./countingProxy.ts";
import { seconds } from "./measure.ts";
import { peakMemory } from "./processMemory.ts";

/** A way to cut the fleet into stacks, all of them or some. */
interface Cut {
  readonly title: string;
  readonly stacks: number;
  readonly clustersOf: number;
  /** How many of the stacks there would be; what is measured is scaled to them, and said so. */
  readonly of: number;
}

const parallel = 2;

/**
 * One change in all stores of a fleet, brought out by `arcflux stacks up`, two stacks at once: in stacks of a twelfth, in
 * stacks of a quarter (a region each), and in stacks of one store, of which 20 are measured.
 */
export async function benchStacks(stores: number): Promise<string> {
  const cuts: Cut[] = [
    { title: "12 stacks", stacks: 12, clustersOf: stores / 12, of: 12 },
    { title: "4 stacks, one a region", stacks: 4, clustersOf: stores / 4, of: 4 },
    { title: "a stack per store", stacks: 20, clustersOf: 1, of: stores },
  ];
  const lines: string[] = [];
  for (const cut of cuts) lines.push(...(await measured(cut)));
  return [
    `One change in ${stores} stores, agents present, 3 sets each, ${parallel} stacks at once`,
    ...lines,
  ].join("\n");
}

async function measured(cut: Cut): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  // The first update is not measured; without checkpoints the file backend does not write the whole state at each step.
  const base = { ...process.env, ARCFLUX_LAB_ASSUME_CLUSTERS: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  const lab = await startLab({ dir, env: base });
  const proxy = await startCountingProxy(lab.repositoryUrl.replace(/\/fleet\.git$/, ""));
  try {
    const project = await makeProject(lab, cut);
    const env = { ...lab.env, ARCFLUX_REPOSITORY_URL: `${proxy.url}/fleet.git` };
    const up = async (interval: string): Promise<void> => {
      await writeFile(join(project, "fleet.yaml"), fleet(cut, interval));
      const args = [join(projectRoot, "cli/arcflux.ts"), "stacks", "up", "--parallel", String(parallel)];
      const { code, stdout, stderr } = await run(process.execPath, args, { cwd: project, env });
      if (code !== 0) throw new Error(`The update failed:\n${stdout}${stderr}`);
    };
    await up("10m");
    Object.assign(proxy.traffic, { requests: 0, sent: 0, received: 0 });
    let time = 0;
    const memory = await peakMemory(async () => {
      time = await seconds(() => up("20m"));
    });
    const { requests, sent, received } = proxy.traffic;
    const scale = cut.of / cut.stacks;
    const scaled = scale === 1 ? "" : ` (${cut.stacks} of ${cut.of} measured; times ${scale})`;
    return [
      `  ${cut.title}${scaled}`,
      `    wall time    ${(time * scale).toFixed(0)} s`,
      `    peak memory  ${memory.toFixed(0)} MB`,
      `    Git host     ${requests * scale} requests, ${bytesText(received * scale)} fetched, ${bytesText(sent * scale)} pushed`,
    ];
  } finally {
    await proxy.close();
    await lab.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** A project of its own beside the lab, as a user's is: stacks by a label. */
async function makeProject(lab: Lab, { stacks }: Cut): Promise<string> {
  const folder = join(lab.dir, "project");
  await mkdir(folder, { recursive: true });
  const project = parse(await readFile(join(projectRoot, "Pulumi.yaml"), "utf8")) as object;
  const plugins = { providers: [{ name: "arcflux-git", path: join(projectRoot, "provider") }] };
  await writeFile(
    join(folder, "Pulumi.yaml"),
    stringify({ ...project, main: join(projectRoot, "index.ts"), plugins }),
  );
  for (let stack = 0; stack < stacks; stack += 1) {
    const config = { "arcflux:clusters": `part=${stack}`, "arcflux:fleet": join(folder, "fleet.yaml") };
    await writeFile(join(folder, `Pulumi.part-${stack}.yaml`), stringify({ config }));
    const init = ["stack", "init", `part-${stack}`, "--cwd", folder, "--non-interactive"];
    await mustRun("pulumi", init, { cwd: folder, env: lab.env });
  }
  return folder;
}

function fleet({ stacks, clustersOf }: Cut, interval: string): string {
  const clusters = Array.from({ length: stacks * clustersOf }, (_, index) => {
    const part = Math.floor(index / clustersOf);
    return [`store-${String(index).padStart(3, "0")}`, { labels: { part: String(part) } }] as const;
  });
  const set = { interval, path: "./apps/pos" };
  return stringify({
    apiVersion: "arcflux/v1",
    repository: { url: "https://git.example.com/edge/fleet.git" },
    arc: { resourceGroup: "rg-edge", location: "westeurope" },
    groups: { all: { match: {}, agents: "present", sets: { pos: set, till: set, signage: set } } },
    clusters: Object.fromEntries(clusters),
  });
}
