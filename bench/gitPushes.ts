import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { startLab } from "../lab/lab.ts";
import { LabStack } from "../lab/stack.ts";
import { seconds } from "./measure.ts";

const clusters = 100;

/**
 * Pushes that one `up` of a hundred new clusters makes, with the engine's own parallelism and with 64. As users run it,
 * the engine saves its state at each step, and writes come one after the other; what PULUMI_SKIP_CHECKPOINTS makes of it
 * is shown beside it.
 */
export async function benchGitPushes(): Promise<string> {
  // What the engine takes where nothing is said.
  const usual = availableParallelism() * 4;
  const lines: string[] = [];
  for (const [parallel, toReach] of [
    [usual, Math.ceil(clusters / usual) + 2],
    [64, 10],
  ] as const) {
    const { pushes, time } = await pushesOf(parallel, true);
    const verdict = pushes <= toReach ? "reached" : "NOT reached";
    const without = await pushesOf(parallel, false);
    lines.push(
      `  --parallel ${String(parallel).padEnd(13)} ${pushes} pushes in ${time.toFixed(1)} s (to reach: at most ${toReach}; ${verdict})`,
      `    without checkpoints    ${without.pushes} pushes in ${without.time.toFixed(1)} s`,
    );
  }
  return [`One up of ${clusters} new clusters, a commit each`, ...lines].join("\n");
}

async function pushesOf(parallel: number, checkpoints: boolean): Promise<{ pushes: number; time: number }> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  const env: NodeJS.ProcessEnv = { ...process.env, ARCFLUX_LAB_ASSUME_CLUSTERS: "true" };
  if (checkpoints) delete env["PULUMI_SKIP_CHECKPOINTS"];
  else env["PULUMI_SKIP_CHECKPOINTS"] = "true";
  const lab = await startLab({ dir, env });
  try {
    const stack = await LabStack.init(lab, "pushes", fleet());
    const hook = join(lab.gitDir, "hooks", "post-receive");
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, `#!/bin/sh\necho x >> '${dir}/pushes'\n`);
    await chmod(hook, 0o755);
    const time = await seconds(async () => {
      const up = await stack.operate("up", [
        "--skip-preview",
        "--suppress-progress",
        "--parallel",
        String(parallel),
      ]);
      if (up.code !== 0) throw new Error(`The update failed:\n${up.stdout}${up.stderr}`);
    });
    const pushes = (await readFile(join(dir, "pushes"), "utf8")).split("\n").length - 1;
    return { pushes, time };
  } finally {
    await lab.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function fleet(): string {
  const names = Array.from({ length: clusters }, (_, index) => String(index + 1).padStart(3, "0"));
  return [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "clusters:",
    ...names.map((name) => `  edge-${name}: { agents: present, sets: { one: {} } }`),
    "",
  ].join("\n");
}
