import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync } from "node:fs";
import path from "node:path";

/**
 * Runs set-up for the programs of a real Kubernetes API: says nothing when all are there, or ARCFLUX_CLUSTER_TOOLS names a
 * folder of them. Throws when it fails.
 */
export async function bringClusterTools(root: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if ((env["ARCFLUX_CLUSTER_TOOLS"] ?? "") !== "" || sharesPackages(root)) return;
  const setup = path.join(root, "scripts", "setup.mjs");
  const child = spawn(process.execPath, [setup, "--cluster", "--quiet"], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  // What went wrong stands above: set-up said it itself.
  if (code !== 0) throw new Error("Set-up could not bring the programs of a real Kubernetes API.");
}

/** Whether node_modules is a link to another clone's: set-up is done there, and from here npm would empty it. */
function sharesPackages(root: string): boolean {
  return lstatSync(path.join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
