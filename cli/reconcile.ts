import { reconcile as ask, reconcileSteps } from "../status/index.ts";
import { namedSet, openApi } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

interface ReconcileOptions {
  readonly file: string;
  readonly json?: boolean;
}

export const registerReconcile: Register = (program, terminal, done) => {
  command(program, "reconcile", "Make Flux look now, the source first, as flux reconcile does.", [
    "arcflux reconcile store-001",
    "arcflux reconcile store-001 pos",
  ])
    .argument("<cluster>", "name of the cluster")
    .argument("[set]", "name of one of its sets")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was asked as JSON on standard output")
    .action(async (cluster: string, set: string | undefined, options: ReconcileOptions) =>
      done(await reconcile(cluster, set, options, terminal)),
    );
};

/** `arcflux reconcile`: asks source, bootstrap and set in turn. A windowed set is not asked: its window opens it. */
export function reconcile(
  name: string,
  set: string | undefined,
  { file, ...options }: ReconcileOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { reconciled: [] }, async ({ fleet }) => {
    const cluster = namedSet(fleet, name, set);
    const window = cluster.sets.find((each) => each.name === set)?.window;
    if (window !== undefined) {
      throw new UsageError(
        `${set} changes only while its window ${window} is open. Run arcflux window open to open it by hand.`,
      );
    }
    const api = await openApi(cluster);
    const steps = reconcileSteps(cluster, set);
    for (const step of steps) {
      await ask(api, step, new Date());
      if (options.json !== true) terminal.err(`${step.kind} ${step.name} reconciles.\n`);
    }
    return {
      document: { reconciled: steps },
      print: () => terminal.out(`See how it ends: arcflux status --cluster ${name}\n`),
    };
  });
}
