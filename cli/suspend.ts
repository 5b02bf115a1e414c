import { Option } from "commander";
import { editFleetFile } from "./editFleetFile.ts";
import { fileOf } from "./edits.ts";
import { namedSet } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { suspendedCluster, suspendedText } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

interface SuspendOptions {
  readonly file: string;
  readonly reason: string;
  readonly until?: string;
  /** Every set of the cluster by itself, in place of what reaches it. */
  readonly sets?: boolean;
  readonly through?: "git";
  readonly json?: boolean;
}

export const registerSuspend: Register = (program, terminal, done) => {
  command(
    program,
    "suspend",
    "Stop all that would reach a cluster, or one of its sets, in the fleet file: one line, and pulumi up.",
    [
      "arcflux suspend store-001 pos --reason INC-4711",
      "arcflux suspend store-001 --reason 'rebuild of the store' --until 2026-12-24",
      "arcflux suspend store-001 --sets --reason INC-4711    # drift repair of its sets as well",
    ],
  )
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .requiredOption("--reason <text>", "why, for whoever comes next", notEmpty)
    .option(
      "--until <date>",
      "last day of it, such as 2026-12-24; past it the fleet file is an error",
      notEmpty,
    )
    .option("--sets", "each set of the cluster by itself: drift is not repaired either")
    .addOption(
      new Option(
        "--through <way>",
        "git: by the files in Git alone, where Azure or the cluster does not answer",
      ).choices(["git"]),
    )
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
  { file, reason, until, sets: all = false, through, ...options }: SuspendOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { suspended: [] }, async (loaded) => {
    const cluster = namedSet(loaded.fleet, name, set);
    if (set !== undefined && all)
      throw new UsageError(`--sets is for all sets of ${name}; leave ${set} out.`);
    const whole = set === undefined && !all;
    if (through !== undefined && !whole)
      throw new UsageError(`--through is for a whole cluster; a set is suspended in Git anyway.`);
    const sets = set === undefined ? cluster.sets.map((each) => each.name) : [set];
    if (sets.length === 0 && !whole) throw new UsageError(`${name} has no set to suspend.`);
    const why = { reason, ...(until !== undefined && { until }), ...(through && { through }) };
    const path = fileOf(loaded, ["clusters", name], file);
    await editFleetFile(file, path, (text) =>
      whole ? suspendedCluster(text, name, why) : suspendedText(text, name, sets, why),
    );
    return {
      document: { file: path, suspended: whole ? "cluster" : sets },
      print: () => {
        const what = whole
          ? `${name} suspended: nothing new reaches it`
          : `${sets.join(", ")} of ${name} suspended`;
        terminal.out(`${path}: ${what}. Run pulumi up to stop it; take suspend out to go on.\n`);
      },
      code: exitCodes.done,
    };
  });
}
