import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../../lab/lab.ts";

/** A lab as a user starts it, with a command of ours inside. */
export interface LabProcess {
  readonly child: ChildProcess;
  /** What the command printed first, as JSON. */
  readonly said: Promise<Record<string, string>>;
  readonly ended: Promise<{ code: number | null; stderr: string; stdout: string }>;
}

/** Starts `node lab/cli.ts` with these arguments, or another script of the lab's. */
export function startCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  script: "cli.ts" | "demo.ts" = "cli.ts",
): LabProcess {
  const child = spawn(process.execPath, [path.join(root, "lab", script), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  const ended = new Promise<{ code: number | null; stderr: string; stdout: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, ...text }));
  });
  const said = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    void ended.then(({ stderr }) => reject(new Error(`The lab ended before its command spoke: ${stderr}`)));
  }).then((line) => JSON.parse(line) as Record<string, string>);
  said.catch(() => undefined);
  return { child, said, ended };
}

/** A command that prints its id and its environment, and stays until it is told to go. */
export const stayingCommand = [
  "node",
  "-e",
  `process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000);
   console.log(JSON.stringify({ ...process.env, PID: String(process.pid) }));`,
] as const;

/** Ports of a lab's services: the providers' and the Git server's. */
export function portsOf(env: Readonly<Record<string, string>>): number[] {
  const providers = (env["PULUMI_DEBUG_PROVIDERS"] ?? "").split(",").map((one) => Number(one.split(":")[1]));
  return [...providers, Number(new URL(env["ARCFLUX_REPOSITORY_URL"] ?? "").port)];
}

export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Processes whose command line names the folder; on systems without /proc none is found. */
export function processesNaming(dir: string): string[] {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dir);
    } catch {
      return false;
    }
  });
}

/** Waits until it holds; false when it does not within ten seconds. */
export async function within(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await condition()) return true;
    await sleep(100);
  }
  return false;
}
