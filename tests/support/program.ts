import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { mustRun, type Ran, run } from "../../lab/run.ts";
import { projectRoot, type StackHome } from "../../lab/stack.ts";

/** A Pulumi program of a test's own that uses this project's provider, in a folder below a lab. */
export class TestProgram {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  /** Writes `source` as the program's index.ts and makes the stack `test`. */
  static async create(home: StackHome, name: string, source: string): Promise<TestProgram> {
    const folder = join(home.dir, "programs", name);
    await mkdir(folder, { recursive: true });
    await symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    for (const part of ["provider", "git", "disk", "flux", "fleet", "values", "package.json"]) {
      await cp(join(projectRoot, part), join(folder, part), { recursive: true });
    }
    await writeFile(
      join(folder, "Pulumi.yaml"),
      `name: ${name}\nmain: index.ts\nruntime: { name: nodejs, options: { typescript: false } }\n` +
        `plugins: { providers: [{ name: arcflux-git, path: provider }] }\n`,
    );
    const program = new TestProgram(folder, home.env);
    await program.write(source);
    await mustRun("pulumi", ["stack", "init", "test", "--non-interactive"], { cwd: folder, env: home.env });
    return program;
  }

  async write(source: string): Promise<void> {
    await writeFile(join(this.folder, "index.ts"), source);
  }

  pulumi(...args: string[]): Promise<Ran> {
    const all = [...args, "--stack", "test", "--non-interactive", "--color", "never"];
    return run("pulumi", all, { cwd: this.folder, env: this.#env });
  }
}
