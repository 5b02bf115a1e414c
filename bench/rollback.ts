import { spawnSync } from "node:child_process";
import { GitWorkshop } from "../tests/support/gitWorkshop.ts";
import { writeFleet } from "../tests/support/writeFleet.ts";
import { loadFleet } from "../fleet/load.ts";
import { promote, rollBack, type World } from "../stages/index.ts";
import { seconds } from "./measure.ts";

/** So many clusters of a stage taken back after a bad change of each: one commit, one push, side by side with git in a clone. */
export async function benchRollback(clusters: number): Promise<string> {
  const shop = new GitWorkshop();
  try {
    const repository = await shop.repository({ "README.md": "read me\n" });
    const context = { env: shop.env, tempRoot: shop.tempRoot };
    const world: World = {
      git: context,
      now: () => new Date(),
      ask: () => Promise.reject(new Error("nobody is asked")),
      applied: () => Promise.resolve("unknown"),
      statuses: () => Promise.resolve([]),
    };
    const request = { stage: "prod", dryRun: false, again: false, unverified: true, pullRequest: false };
    const update = async (interval: string) => {
      const { fleet } = loadFleet(fleetText(repository, clusters, interval), "fleet.yaml");
      if (fleet === undefined) throw new Error("the fleet of the bench has errors");
      await writeFleet(fleet, context);
      await promote(fleet, request, world);
      return fleet;
    };
    await update("10m");
    const fleet = await update("20m");
    const bad = shop.git(repository, "rev-parse", "prod");
    const back = { of: "prod", now: true, reason: "bench", yes: false, dryRun: false };
    const time = await seconds(async () => void (await rollBack(fleet, back, world)));
    const [commits, same] = [
      shop.git(repository, "rev-list", "--count", `${bad}..prod`),
      shop.git(repository, "rev-parse", "prod^{tree}") === shop.git(repository, "rev-parse", "prod~2^{tree}"),
    ];
    if (commits !== "1" || !same) throw new Error("The rollback did not restore the tree by one commit.");
    const clone = `${shop.folder}/clone`;
    const identity = ["-c", "user.name=Pat", "-c", "user.email=pat@example.com"];
    const peer = await seconds(() => {
      for (const args of [
        ["clone", "-q", "-b", "main", `file://${repository}`, clone],
        ["-C", clone, "checkout", "-q", "-B", "back", bad],
        ["-C", clone, "checkout", "-q", `${bad}~1`, "--", "."],
        ["-C", clone, ...identity, "commit", "-q", "-m", "Back"],
        ["-C", clone, "push", "-q", "origin", "back"],
      ]) {
        const { status, stderr } = spawnSync("git", args, { env: shop.env });
        if (status !== 0) throw new Error(`git ${args.join(" ")}: ${String(stderr)}`);
      }
      return Promise.resolve();
    });
    return [
      `${clusters} clusters rolled back: one commit, one push`,
      `  arcflux rollback --now   ${time.toFixed(1)} s`,
      `  clone, checkout, push    ${peer.toFixed(1)} s`,
      `  ratio                    ${(time / peer).toFixed(2)}`,
    ].join("\n");
  } finally {
    shop.remove();
  }
}

function fleetText(repository: string, clusters: number, interval: string): string {
  const names = Array.from({ length: clusters }, (_, index) => String(index + 1).padStart(4, "0"));
  const sets = Array.from(
    { length: 10 },
    (_, index) => `set-${index}: { path: ./apps/set-${index}, interval: ${interval} }`,
  ).join(", ");
  return [
    "apiVersion: arcflux/v1",
    `repository: { url: "file://${repository}" }`,
    "platform: kubernetes",
    "stages: { prod: { branch: prod } }",
    "clusters:",
    ...names.map(
      (name) => `  s-${name}: { stage: prod, kubeconfig: { context: c-${name} }, sets: { ${sets} } }`,
    ),
    "",
  ].join("\n");
}
