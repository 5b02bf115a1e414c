import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

import { mustRun, type Ran, run } from "../../lab/run.ts";
import { projectRoot } from "../../lab/stack.ts";

/** Packs the clone as `npm publish` does. Gives the path of the tarball in `folder`. */
export async function packArcflux(folder: string): Promise<string> {
  await mustRun("npm", ["pack", "--silent", "--pack-destination", folder], npmOptions(projectRoot));
  const { version } = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")) as {
    readonly version: string;
  };
  return join(folder, `arcflux-${version}.tgz`);
}

/** A project of somebody who installs Arcflux: what is in its folder comes from npm or is written by the user. */
export class Consumer {
  readonly folder: string;
  env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    const bin = join(folder, "node_modules", ".bin");
    this.env = { ...env, PATH: [bin, env["PATH"]].join(delimiter) };
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), text);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), "utf8");
  }

  /** Installs packages, such as a tarball; none has a script that would have to run. */
  async install(...packages: readonly string[]): Promise<void> {
    const args = ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    await mustRun("npm", [...args, ...packages], npmOptions(this.folder));
  }

  run(command: string, ...args: readonly string[]): Promise<Ran> {
    return run(command, args, { cwd: this.folder, env: this.env });
  }

  pulumi(...args: readonly string[]): Promise<Ran> {
    return this.run("pulumi", ...args, "--non-interactive", "--color", "never");
  }
}

/** Without what npm tells the scripts that it runs, which a test may be below. */
function npmOptions(cwd: string): { cwd: string; env: NodeJS.ProcessEnv } {
  const env = Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/.test(name));
  return { cwd, env: Object.fromEntries(env) };
}
