import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCheckedFleet } from "../checks/readCheckedFleet.ts";
import { startLab } from "../lab/lab.ts";
import { LabStack } from "../lab/stack.ts";
import manifest from "../package.json" with { type: "json" };
import { renderedFolder } from "../program/renderedFolder.ts";

/*
 * Keeps what a release leaves behind, for the tests of the next one: the state and the repository of a small fleet, and
 * what the examples render to. Run before a version is published: node scripts/keep-release.ts
 */
const root = join(import.meta.dirname, "..");
export const releases = join(root, "tests", "releases", "fixtures");
/** What differs from lab to lab and from machine to machine, each with what stands for it in the kept state. */
export const placeholders = (repositoryUrl: string): readonly (readonly [here: string, kept: string])[] => [
  [repositoryUrl, "http://repository.invalid/fleet.git"],
  [root, "/clone-of-arcflux"],
];

/** Path of a generated file of an example to its checksum. */
export async function renderedSums(folder: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const { fleet, findings } = await readCheckedFleet(join(folder, name));
    if (fleet === undefined) throw new Error(`${name}: ${findings.map(({ message }) => message).join("; ")}`);
    for (const cluster of fleet.clusters)
      for (const [path, text] of Object.entries(renderedFolder(cluster, fleet)))
        sums[`${name}: ${cluster.folder}/${path}`] = createHash("sha256")
          .update(text)
          .digest("hex")
          .slice(0, 16);
  }
  return sums;
}

if (process.argv[1] === import.meta.filename) await keep(join(releases, manifest.version));

async function keep(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "examples"), { recursive: true });
  const examples = join(root, "examples");
  for (const name of readdirSync(examples)) {
    const fleet = join(examples, name, "fleet.yaml");
    if (existsSync(fleet)) copyFileSync(fleet, join(folder, "examples", `${name}.yaml`));
  }
  const sums = await renderedSums(join(folder, "examples"));
  writeFileSync(join(folder, "rendered.json"), `${JSON.stringify(sums, null, 1)}\n`);
  await keepState(folder);
}

async function keepState(folder: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "arcflux-keep-"));
  const manifests = {
    "infrastructure/base.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: { name: base }\n",
  };
  const lab = await startLab({
    dir,
    manifests,
    env: { ...process.env, ARCFLUX_LAB_ASSUME_CLUSTERS: "true" },
  });
  try {
    const fleet = join(releases, "fleet.yaml");
    const stack = await LabStack.init(lab, "kept");
    copyFileSync(fleet, stack.fleetFile);
    const ran = await stack.operate("up", ["--skip-preview"]);
    if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
    const state = placeholders(lab.repositoryUrl).reduce(
      (text, [here, kept]) => text.replaceAll(here, kept),
      await stack.must(["stack", "export", "--stack", "kept"]),
    );
    writeFileSync(join(folder, "state.json"), `${state}\n`);
    const git = ["-C", lab.gitDir, "fast-export", "--all", "--signed-tags=strip"];
    writeFileSync(join(folder, "repository.txt"), execFileSync("git", git, { env: lab.env }));
  } finally {
    await lab.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
