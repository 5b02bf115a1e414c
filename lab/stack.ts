import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { makeFolder } from "./makeFolder.ts";
import { mustRun, type Ran, run } from "./run.ts";

/** The folder of the Pulumi project: this clone. */
export const projectRoot = join(import.meta.dirname, "..");

/** Where a stack of the lab lives: a lab's folder and environment. */
export interface StackHome {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * One stack of this project in a lab. Its config file and fleet file are copies below the lab's folder, since every
 * backend writes an encryption salt of its own into the config file, and the clone is to stay as it is.
 */
export class LabStack {
  readonly name: string;
  readonly configFile: string;
  readonly fleetFile: string;
  readonly #home: StackHome;
  readonly #folder: string;

  private constructor(home: StackHome, name: string) {
    this.#home = home;
    this.name = name;
    this.#folder = join(home.dir, "stacks", name);
    this.configFile = join(this.#folder, `Pulumi.${name}.yaml`);
    this.fleetFile = join(this.#folder, "fleet.yaml");
  }

  /** Makes the stack, with `Pulumi.dev.yaml` and `fleet.yaml` of the clone, or a fleet of the caller's own. */
  static async init(home: StackHome, name: string, fleet?: string): Promise<LabStack> {
    const stack = new LabStack(home, name);
    makeFolder(stack.#folder);
    await copyFile(join(projectRoot, "Pulumi.dev.yaml"), stack.configFile);
    await stack.writeFleet(fleet ?? (await readFile(join(projectRoot, "fleet.yaml"), "utf8")));
    // `stack init` knows no --config-file: it writes beside the Pulumi.yaml it finds, so it gets a copy of that too.
    await copyFile(join(projectRoot, "Pulumi.yaml"), join(stack.#folder, "Pulumi.yaml"));
    await stack.must(["stack", "init", "--stack", name, "--cwd", stack.#folder]);
    await stack.must(["config", "set", "--stack", name, "arcflux:fleet", stack.fleetFile]);
    return stack;
  }

  async writeFleet(text: string): Promise<void> {
    await writeFile(this.fleetFile, text);
  }

  /**
   * Runs `pulumi preview|up|refresh|destroy …` on the stack, without any question asked; with a bound it is ended after so
   * many seconds.
   */
  operate(
    command: string,
    args: readonly string[] = [],
    onLine?: (line: string) => void,
    seconds?: number,
  ): Promise<Ran> {
    const yes = command === "preview" ? [] : ["--yes"];
    return this.pulumi([command, ...yes, "--stack", this.name, ...args], onLine, {}, seconds);
  }

  /** Runs any pulumi command from the clone, with the stack's own config file where the command takes one. */
  pulumi(
    args: readonly string[],
    onLine?: (line: string) => void,
    env: NodeJS.ProcessEnv = {},
    seconds?: number,
  ): Promise<Ran> {
    return run("pulumi", this.commandLine(args), {
      cwd: projectRoot,
      env: { ...this.#home.env, ...env },
      ...(onLine && { onLine }),
      ...(seconds !== undefined && { seconds }),
    });
  }

  async must(args: readonly string[]): Promise<string> {
    return await mustRun("pulumi", this.commandLine(args), { cwd: projectRoot, env: this.#home.env });
  }

  commandLine(args: readonly string[]): string[] {
    const takesConfigFile = !["stack", "cancel", "state"].includes(args[0] ?? "");
    return [
      ...args,
      ...["--non-interactive", "--color", "never"],
      ...(takesConfigFile ? ["--config-file", this.configFile] : []),
    ];
  }
}
