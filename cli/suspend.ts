import { editFleetFile } from "./editFleetFile.ts";
import { namedSet } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { suspendedText } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

interface SuspendOptions {
  readonly file: string;
  readonly reason: string;
  readonly until?: string;
  readonly json?: boolean;
}

export const registerSuspend: Register = (program, terminal, done) => {
  command(
    program,
    "suspend",
    "Write into the fleet file that a set, or all sets of a cluster, are suspended.",
    [
      "arcflux suspend store-001 pos --reason INC-4711",
      "arcflux suspend store-001 --reason 'rebuild of the store' --until 2026-12-24",
    ],
  )
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .requiredOption("--reason <text>", "why, for whoever comes next", notEmpty)
    .option("--until <date>", "day after which a warning reminds of it, such as 2026-12-24", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was suspended as JSON on standard output")
    .action(async (cluster: string, set: string | undefined, options: SuspendOptions) =>
      done(await suspend(cluster, set, options, terminal)),
    );
};

/**
 * `arcflux suspend`: changes the fleet file and nothing else, comments kept. The file that declares the cluster is the one
 * that is changed, be it an included one; it stays as it was where the change would make an error.
 */
export function suspend(
  name: string,
  set: string | undefined,
  { file, reason, until, ...options }: SuspendOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { suspended: [] }, async (loaded) => {
    const cluster = namedSet(loaded.fleet, name, set);
    const sets = set === undefined ? cluster.sets.map((each) => each.name) : [set];
    if (sets.length === 0) throw new UsageError(`${name} has no set to suspend.`);
    const path = loaded.origin?.documents.position(["clusters", name], "key").file ?? file;
    await editFleetFile(file, path, (text) =>
      suspendedText(text, name, sets, { reason, ...(until !== undefined && { until }) }),
    );
    return {
      document: { file: path, suspended: sets },
      print: () => {
        terminal.out(`${path}: ${sets.join(", ")} of ${name} suspended. Run pulumi up to commit it.\n`);
      },
      code: exitCodes.done,
    };
  });
}
