import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadFleet } from "../fleet/load.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { startLab } from "../lab/lab.ts";
import { Person } from "../lab/person.ts";
import { mustRun } from "../lab/run.ts";
import { LabStack } from "../lab/stack.ts";
import { literalsOf } from "./floor/literals.ts";
import { pair, report } from "./measure.ts";

const rounds = 5;
const setsPerCluster = 10;

/**
 * No-change preview of a fleet whose clusters are connected already, with the sets built from a warm cache, against the
 * floor program on the same stack, which builds nothing; or with the policy pack, against the same without it.
 */
export async function benchPreview(
  clusterCount: number,
  against: "floor program" | "without policies" = "floor program",
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  // The set-up's own time is not measured; without this the file backend writes the whole state at each step.
  const env = { ...process.env, ARCFLUX_LAB_ASSUME_CLUSTERS: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  const lab = await startLab({ dir, env });
  const giveUp = (): void => {
    void lab.stop().finally(() => {
      rmSync(dir, { recursive: true, force: true });
      process.exit(1);
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, giveUp);
  try {
    const fleet = fleetOf(clusterCount);
    const stack = await LabStack.init(lab, "bench", fleet);
    // As a stack is that says nothing: with it, each preview asks Azure about each cluster.
    await stack.must(["config", "rm", "--stack", stack.name, "arcflux:compliance"]);
    await commitFolders(new Person(lab.gitDir, join(dir, "person")), fleet);
    const up = await stack.operate("up", ["--skip-preview", "--suppress-progress"]);
    if (up.code !== 0) throw new Error(`The set-up failed:\n${up.stdout}${up.stderr}`);

    const exported = await stack.must(["stack", "export", "--stack", stack.name]);
    const floorFile = join(dir, "floor.json");
    await writeFile(floorFile, JSON.stringify(literalsOf(exported)));
    const preview = ["preview", "--expect-no-changes", "--stack", stack.name];
    const root = join(import.meta.dirname, "..");
    const policies = against === "without policies" ? ["--policy-pack", join(root, "policy")] : [];
    const own = (...args: string[]) =>
      mustRun("pulumi", stack.commandLine([...preview, ...args]), { cwd: root, env: lab.env });
    const result = await pair(
      () => own(...policies),
      () =>
        against === "without policies"
          ? own()
          : mustRun("pulumi", stack.commandLine(preview), {
              cwd: join(import.meta.dirname, "floor"),
              env: { ...lab.env, ARCFLUX_FLOOR: floorFile },
            }),
      rounds,
    );
    const title = `No-change preview, ${clusterCount} clusters x ${setsPerCluster} sets, agents present, ${rounds} rounds`;
    return report(title, [policies.length > 0 ? "with policies" : "Arcflux", against], result, 1.3);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, giveUp);
    await lab.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

function fleetOf(clusterCount: number): string {
  const numbers = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index + 1).padStart(3, "0"));
  const clusters = numbers(clusterCount).flatMap((cluster) => [
    `  edge-${cluster}:`,
    `    agents: present`,
    `    variables: { site_code: ${cluster}, meta_productive: true }`,
    `    sets:`,
    ...numbers(setsPerCluster).map((set) => `      set-${set}: { interval: 15m, path: ./apps/set-${set} }`),
  ]);
  return [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "clusters:",
    ...clusters,
    "",
  ].join("\n");
}

/** All folders in one commit, so that the set-up adopts them instead of pushing once for each cluster. */
async function commitFolders(person: Person, text: string): Promise<void> {
  const { fleet } = loadFleet(text, "fleet.yaml", {});
  const files = (fleet?.clusters ?? []).flatMap((cluster) =>
    Object.entries(renderClusterFolder(cluster)).map(([path, content]) => [
      `${cluster.folder}/${path}`,
      content,
    ]),
  );
  const sets = (fleet?.clusters[0]?.sets ?? []).map(({ name }) => [`apps/${name}/all.yaml`, manifests(name)]);
  await person.commit("All folders", Object.fromEntries([...files, ...sets]) as Record<string, string>);
}

/** A Namespace, a ConfigMap with a variable, and a Deployment. */
function manifests(name: string): string {
  const metadata = `{ name: ${name}, namespace: ${name} }`;
  return [
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`,
    `apiVersion: v1\nkind: ConfigMap\nmetadata: ${metadata}\ndata: { site: "\${site_code}", live: "\${meta_productive}" }\n`,
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: ${metadata}\nspec: { template: { spec: { containers: [{ name: a, image: nginx }] } } }\n`,
  ].join("---\n");
}
