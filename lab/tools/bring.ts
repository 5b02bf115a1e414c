import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs set-up for the programs of a real Kubernetes API: says nothing when all are there, or ARCFLUX_CLUSTER_TOOLS names a
 * folder of them. A signal to this process goes to set-up too, which then ends its builds. Throws when it fails.
 */
export async function bringClusterTools(root: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if ((env["ARCFLUX_CLUSTER_TOOLS"] ?? "") !== "") return;
  const setup = path.join(root, "scripts", "setup.mjs");
  const child = spawn(process.execPath, [setup, "--cluster", "--quiet"], { stdio: "inherit", env });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    // What went wrong stands above: set-up said it itself.
    if (code !== 0) throw new Error("Set-up could not bring the programs of a real Kubernetes API.");
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
