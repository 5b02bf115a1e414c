import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Placement, placeClusters, readProject } from "../deployments/index.ts";
import type { FanOut, Operation } from "../fanout/index.ts";
import type { Fleet } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import { InvalidArgumentError, Argument } from "commander";
import { command, fleetFile, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

interface Options {
  readonly project: string;
  readonly stack: readonly string[];
  readonly parallel: number;
  readonly stopAfter: number;
  readonly resume?: boolean;
  readonly json?: boolean;
}

export const registerStacks: Register = (program, terminal, done) => {
  command(program, "stacks", "Run an operation on many stacks: so many at once, up to so many failures.", [
    "arcflux stacks preview",
    "arcflux stacks up --parallel 4 --stop-after 2",
    "arcflux stacks up --resume                       # those that failed or were not started, and what changed since",
  ])
    .addArgument(new Argument("<operation>", "what to run on each").choices(["preview", "up", "refresh"]))
    .addArgument(fleetFile())
    .option(
      "--stack <name>",
      "only this stack; may be given several times",
      (name: string, names: readonly string[]) => [...names, notEmpty(name)],
      [],
    )
    .option("--parallel <count>", "stacks under way at once", positive, 4)
    .option("--stop-after <count>", "start no further stack after so many failures", positive, 1)
    .option("--resume", "leave out what succeeded already with the same clusters and config")
    .option("--project <folder>", "folder of Pulumi.yaml and the stacks' config", notEmpty, ".")
    .option("--json", "print what became of each as JSON on standard output")
    .action(async (operation: Operation, file: string, options: Options) =>
      done(await stacks(operation, file, options, terminal)),
    );
};

function positive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Write a whole number from 1.");
  return Number(text);
}

/** `arcflux stacks`: 0 where every stack succeeded, 1 where one failed or was not started. */
function stacks(operation: Operation, file: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  const empty = { done: {}, failed: {}, notStarted: [], left: [] };
  return fleetCommand(file, options, terminal, empty, async ({ fleet }) => {
    const project = await readProject(options.project);
    const { placed, faults } = placeClusters(fleet, project.stacks);
    const unknown = options.stack.filter((name) => !placed.some(({ stack }) => stack === name));
    if (unknown.length > 0 && faults.length === 0)
      faults.push(
        `${showSome(unknown)} is not a stack of the project. There are: ${showSome(placed.map(({ stack }) => stack))}.`,
      );
    if (faults.length > 0) throw new UsageError(faults.join("\n"));
    const chosen = placed.filter(({ stack }) => options.stack.length === 0 || options.stack.includes(stack));
    return run(operation, fleet, chosen, options, terminal);
  });
}

async function run(
  operation: Operation,
  fleet: Fleet,
  placed: readonly Placement[],
  { project, parallel, stopAfter, resume = false, json = false }: Options,
  terminal: Terminal,
): Promise<Answer> {
  // Pulumi's SDK takes a second to load, which no other command needs.
  const { fanOut, fingerprint, operate, readDone, saveDone } = await import("../fanout/index.ts");
  const folder = resolve(project);
  const kept = join(folder, ".arcflux", `${operation}.json`);
  const before = await readDone(kept);
  const prints = new Map(
    await Promise.all(
      placed.map(async (each) => [each.stack, await fingerprint(fleet, each, folder)] as const),
    ),
  );
  const names = placed.map(({ stack }) => stack);
  const left = resume ? names.filter((name) => before.get(name) === prints.get(name)) : [];
  const width = Math.max(...names.map(({ length }) => length));
  const policy = join(folder, "policy");
  const policyPacks = existsSync(policy) ? [policy] : [];
  const start = new Map<string, number>();
  const outcome = await whileInterrupted(terminal, (signal) =>
    fanOut(
      names.filter((name) => !left.includes(name)),
      (stack) => {
        start.set(stack, Date.now());
        return operate(stack, operation, {
          folder,
          policyPacks,
          log: join(folder, ".arcflux", `${operation}-${stack}.log`),
        });
      },
      {
        ...{ parallel, stopAfter, signal },
        async onEnd(stack, how, text) {
          const seconds = Math.round((Date.now() - (start.get(stack) ?? 0)) / 1000);
          if (!json) terminal.out(`${stack.padEnd(width)}  ${how} in ${seconds} s: ${text}\n`);
          const print = prints.get(stack);
          if (how === "done" && print !== undefined) before.set(stack, print);
          else before.delete(stack);
          await saveDone(kept, before);
        },
      },
    ),
  );
  const { done, failed, notStarted } = outcome;
  return {
    document: { done: Object.fromEntries(done), failed: Object.fromEntries(failed), notStarted, left },
    print: () => terminal.out(`${endOf(operation, outcome, left, names.length)}\n`),
    code: failed.size + notStarted.length > 0 ? exitCodes.failed : exitCodes.done,
  };
}

/** The first Ctrl-C starts no further stack, and waits: an update that is cut off leaves a lock. The second ends at once. */
async function whileInterrupted<T>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    terminal.err("No further stack is started; waiting for those under way. Again: leave them.\n");
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

function endOf(
  operation: Operation,
  { done, failed, notStarted }: FanOut,
  left: readonly string[],
  all: number,
): string {
  const parts = [
    `${done.size + left.length} of ${all} stacks done`,
    ...(left.length > 0 ? [`${left.length} of them before`] : []),
    ...(failed.size > 0 ? [`${failed.size} failed (${showSome(failed.keys())})`] : []),
    ...(notStarted.length > 0 ? [`${notStarted.length} not started`] : []),
  ].join(", ");
  return failed.size + notStarted.length === 0
    ? `${parts}.`
    : `${parts}. Go on with: arcflux stacks ${operation} --resume`;
}
