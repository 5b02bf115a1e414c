import { spawn } from "node:child_process";

/** How a command ended, with what it said. */
export interface Ran {
  /** Exit code; 128 + signal number is not used: a signal shows as -1. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Gets each line of stdout and stderr as it comes. */
  readonly onLine?: (line: string) => void;
  /** Longest run: then the command is told to end (SIGTERM). Defaults to no bound. */
  readonly seconds?: number;
}

/** Runs a command to its end. Rejects only when it cannot be started. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.seconds !== undefined && { timeout: options.seconds * 1000 }),
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      let rest = "";
      child[name].setEncoding("utf8");
      child[name].on("data", (chunk: string) => {
        texts[name] += chunk;
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) options.onLine?.(line);
      });
      child[name].on("end", () => {
        if (rest !== "") options.onLine?.(rest);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, ...texts }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** Runs a command that must succeed; its output is in the error otherwise. Gives stdout without the last newline. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
  return stdout.trimEnd();
}
