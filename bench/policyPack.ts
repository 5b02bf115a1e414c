import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { pair, report } from "./measure.ts";

const root = join(import.meta.dirname, "..");
const rounds = 7;

/** Start of the pack in Pulumi's host until it can be asked, against a pack without a policy. */
export async function benchPackStart(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  try {
    const empty = await emptyPack(dir);
    const result = await pair(
      () => start(join(root, "policy")),
      () => start(empty),
      rounds,
    );
    return report(`Start of the policy pack, ${rounds} rounds`, ["Arcflux", "empty pack"], result, 1.5);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function emptyPack(dir: string): Promise<string> {
  const folder = join(dir, "policy");
  await mkdir(folder);
  await symlink(join(root, "node_modules"), join(dir, "node_modules"));
  for (const file of ["PulumiPolicy.yaml", "package.json"])
    await cp(join(root, "policy", file), join(folder, file));
  await writeFile(
    join(folder, "index.js"),
    `import { PolicyPack } from "@pulumi/policy";\nnew PolicyPack("empty", { policies: [] });\n`,
  );
  return folder;
}

async function start(folder: string): Promise<void> {
  const host = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [host, "127.0.0.1:1", folder], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  await Promise.race([once(createInterface(child.stdout), "line"), exit]);
  child.kill();
  await exit;
}
