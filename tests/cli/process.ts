import { spawn } from "node:child_process";
import { join } from "node:path";

const script = join(import.meta.dirname, "../../cli/arcflux.ts");

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the arcflux command in a process of its own. */
export function arcflux(args: readonly string[], cwd: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const text = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text.out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (text.err += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
}
