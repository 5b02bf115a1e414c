import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BareGit } from "../../lab/bareGit.ts";
import type { ClusterRequest } from "../../lab/cluster/labKubernetes.ts";
import { type Lab, startLab } from "../../lab/lab.ts";
import { Person } from "../../lab/person.ts";
import type { Ran } from "../../lab/run.ts";

/** A lab of one spec file's own, in a temporary folder. */
export interface TestLab {
  readonly lab: Lab;
  /** The GitOps repository, looked at from the server's side. */
  readonly repository: BareGit;
  /** Somebody else who commits to it. */
  readonly person: Person;
  /** Environment for every command of the test. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the lab and removes its folder. */
  stop(): Promise<void>;
}

export interface TestLabOptions {
  /** Clusters count as connected to Azure already. */
  readonly assumeClusters?: boolean;
  /** Real ones, in place of the stand-in for Kubernetes. */
  readonly clusters?: readonly ClusterRequest[];
}

/** Starts a lab. */
export async function startTestLab({ assumeClusters, clusters }: TestLabOptions = {}): Promise<TestLab> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-test-"));
  const env = { ...process.env, ...(assumeClusters && { ARCFLUX_LAB_ASSUME_CLUSTERS: "true" }) };
  const lab = await startLab({ dir, env, ...(clusters && { clusters }) });
  return {
    lab,
    repository: new BareGit(lab.gitDir),
    person: new Person(lab.gitDir, join(dir, "person")),
    env: lab.env,
    async stop() {
      await lab.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Fails with the whole output when a command did not end as it should. */
export function expectCode(ran: Ran, code: number): Ran {
  if (ran.code !== code) throw new Error(`Exit code ${ran.code}, not ${code}:\n${ran.stdout}\n${ran.stderr}`);
  return ran;
}

/** Every file below a folder, path to bytes; what disappears while reading is left out. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Buffer>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path, await readFile(path));
  }
  return files;
}

/** A fleet file of clusters that are connected already, each with sets of these names. */
export function presentFleet(clusters: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(clusters).flatMap(([cluster, sets]) => [
    `  ${cluster}:`,
    `    agents: present`,
    `    sets:`,
    ...sets.map((set) => `      ${set}: {}`),
  ]);
  return [
    "apiVersion: arcflux/v1",
    "repository:",
    "  url: https://git.example.com/edge/fleet.git",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "clusters:",
    ...lines,
    "",
  ].join("\n");
}

/** One cluster that is connected to Azure by the update itself, with three sets: the shape of the sample fleet. */
export const sampleFleet = [
  "apiVersion: arcflux/v1",
  "repository: { url: https://git.example.com/edge/fleet.git }",
  "arc: { resourceGroup: rg-edge, location: westeurope }",
  "sets:",
  "  infrastructure: { path: ./infrastructure }",
  "clusters:",
  "  edge-device-0:",
  "    variables: { meta_productive: true, site_code: 0042 }",
  "    sets:",
  "      infrastructure: {}",
  "      set-01: { dependsOn: [infrastructure] }",
  "      set-02: { dependsOn: [set-01], interval: 30m }",
  "",
].join("\n");
