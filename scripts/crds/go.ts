import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { readZip } from "./zip.ts";

const run = promisify(execFile);

/** Go is not installed, or a module cannot be fetched: nothing was found wrong, and nothing could be checked either. */
export class GoMissing extends Error {}

/** Runs go; stdout. The settings of an enclosing workspace or vendor folder do not apply. */
export async function go(args: readonly string[], folder: string): Promise<string> {
  const { stdout } = await run("go", args, {
    cwd: folder,
    env: { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" },
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/** True when a `go` can be started. */
export async function hasGo(): Promise<boolean> {
  return run("go", ["version"]).then(
    () => true,
    () => false,
  );
}

/** A module as the proxy has it: the checksum that Go has verified, and the files without their common folder. */
export interface GoModule {
  readonly sum: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Fetches a module into the user's module cache and reads it there. A module that asks for a newer Go is fetched and
 * verified all the same, but go then exits with 1; so its report counts, not its exit code.
 */
export async function fetchModule(module: string, version: string, folder: string): Promise<GoModule> {
  const report = await go(["mod", "download", "-json", `${module}@${version}`], folder).catch(
    (error: { stdout?: string; stderr?: string; message: string }) =>
      error.stdout || JSON.stringify({ Error: error.stderr || error.message }),
  );
  const { Zip, Sum, Error: reason } = JSON.parse(report) as { Zip?: string; Sum?: string; Error?: string };
  if (Zip === undefined || Sum === undefined) {
    throw new GoMissing(`${module}@${version} cannot be fetched: ${reason ?? "go gives no reason"}`);
  }
  const prefix = `${module}@${version}/`;
  const files = new Map<string, Buffer>();
  for (const [name, bytes] of readZip(await readFile(Zip))) files.set(name.slice(prefix.length), bytes);
  return { sum: Sum, files };
}
