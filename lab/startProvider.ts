import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnvironment } from "./environment.ts";
import { makeFolder } from "./makeFolder.ts";
import { portTaken } from "./providers/runStandIn.ts";

export interface RunningProvider {
  readonly port: number;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

export interface ProviderOptions {
  readonly name: "azure-native" | "tls" | "kubernetes";
  readonly dir: string;
  /** The port of the last start. Another one is taken, and said, when it is not to be had. */
  readonly port: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** URL of the lab's Azure, for the stand-ins that speak to it. */
  readonly arm?: string;
  readonly log: (line: string) => void;
}

/** Starts the process of a stand-in provider; its stderr goes to `DIR/logs`. */
export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const wanted = options.port ?? 0;
  // The processes of a lab that was killed need a moment to notice.
  for (let attempt = 0; attempt < 20; attempt++) {
    const started = await launch(options, wanted);
    if (started !== undefined) return started;
    await sleep(150);
  }
  options.log(
    `Port ${wanted} of the ${options.name} stand-in is taken by another process; it gets another one.`,
  );
  const started = await launch(options, 0);
  if (started === undefined) throw new Error(`No port was free for the ${options.name} stand-in.`);
  return started;
}

/** Undefined when the port is taken. */
async function launch(options: ProviderOptions, port: number): Promise<RunningProvider | undefined> {
  const { name, dir, arm } = options;
  const logs = path.join(dir, "logs");
  makeFolder(logs);
  const script = path.join(import.meta.dirname, "providers", `${name}.ts`);
  const args = ["--dir", dir, "--port", String(port), "--parent", String(process.pid)];
  if (arm !== undefined) args.push("--arm", arm);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: path.dirname(import.meta.dirname),
    env: cleanEnvironment(options.env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-4000)));
  child.stderr.pipe(createWriteStream(path.join(logs, `${name}.log`), { flags: "a" }));
  const gone = new Promise<number | null>((resolve) => {
    child.once("exit", resolve).once("error", () => resolve(1));
  });
  const line = await Promise.race([firstLine(child), gone.then(() => undefined)]);
  if (line !== undefined) {
    let stopping = false;
    void gone.then((code) => {
      if (!stopping)
        options.log(`The ${name} stand-in ended by itself (${code}); ${logs} may tell why. ${errors}`);
    });
    return {
      port: Number(line),
      stop: () => {
        stopping = true;
        return end(child, gone);
      },
    };
  }
  const code = await gone;
  if (code === portTaken && port !== 0) return undefined;
  throw new Error(`The ${name} stand-in did not start (exit code ${code}). ${errors.trim()}`);
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout) createInterface({ input: child.stdout }).once("line", resolve);
  });
}

async function end(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 3000);
  await gone;
  clearTimeout(timer);
}
