import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

const script = join(import.meta.dirname, "../../cli/arcflux.ts");

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Start {
  /** On top of the environment of the tests, from which what arcflux reads is taken away. */
  readonly env?: NodeJS.ProcessEnv;
  /** Arguments of Node itself. */
  readonly node?: readonly string[];
  /** Closes the pipe at the other end of standard output once something came through it, as `head` does. */
  readonly closeEarly?: boolean;
  /** File that standard output goes to; `out` is empty then. */
  readonly into?: string;
  /** Kills the process, as a machine that goes down does. */
  readonly kill?: AbortSignal;
}

const inherited = { ...process.env };
for (const name of ["ARCFLUX_REPOSITORY_URL", "ARCFLUX_GIT_TOKEN", "NO_COLOR", "FORCE_COLOR"])
  delete inherited[name];

/** Runs the arcflux command in a process of its own. */
export function arcflux(
  args: readonly string[],
  cwd: string,
  { env = {}, node = [], closeEarly = false, into, kill }: Start = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const file = into === undefined ? undefined : openSync(into, "w");
    const child = spawn(process.execPath, [...node, script, ...args], {
      cwd,
      env: { ...inherited, ...env },
      stdio: ["ignore", file ?? "pipe", "pipe"],
    });
    if (file !== undefined) closeSync(file);
    kill?.addEventListener("abort", () => child.kill("SIGKILL"));
    const text = { out: "", err: "" };
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text.out += chunk;
      if (closeEarly) child.stdout?.destroy();
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}
