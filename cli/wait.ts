import { setTimeout as sleep } from "node:timers/promises";
import { countByGate, type Gate, type History, type StageCount, askNow } from "../status/index.ts";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { count, percent, timeoutOption, withChoice } from "./statusOptions.ts";
import type { Terminal } from "./terminal.ts";

export interface WaitOptions extends ClusterChoice {
  readonly commit?: string;
  /** Percent. */
  readonly share?: number;
  readonly failing?: number;
  /** Seconds. */
  readonly timeout: number;
  readonly json?: boolean;
}

export const registerWait: Register = (program, terminal, done) => {
  withChoice(
    command(program, "wait", "Wait until enough clusters are ready, at the tip or with a commit.", [
      "arcflux wait --stage dev --timeout 20m",
      "arcflux wait --stage prod --commit 4f2c1ab --share 90% --failing 2",
    ]),
  )
    .option(
      "--commit <commit>",
      "ready with this commit, or one built on it. Default: the tip that each follows",
    )
    .option("--share <percent>", "how many must be ready. Default: `ready.share` of the stage", percent)
    .option("--failing <number>", "how many may fail. Default: `ready.failing` of the stage", count)
    .addOption(timeoutOption("how long to wait", "30m"))
    .option("--json", "print the last counts as JSON on standard output")
    .action(async (file: string, options: WaitOptions) => done(await wait(file, options, terminal)));
};

/** Between two looks, and how long one may take, in seconds. */
const pace = { pause: 10, look: 60 };

/** `arcflux wait`: ends with 0 once enough are ready, with 4 when the time is up before. */
export function wait(file: string, options: WaitOptions, terminal: Terminal): Promise<ExitCode> {
  const { share, failing, timeout } = options;
  const gate: Partial<Gate> = {
    ...(share !== undefined && { share }),
    ...(failing !== undefined && { failing }),
  };
  return fleetCommand(file, options, terminal, { counts: [] }, async ({ fleet }) => {
    const clusters = chosenClusters(fleet, options);
    const end = Date.now() + timeout * 1000;
    for (let last = ""; ;) {
      const found = await askNow(fleet, clusters, pace.look);
      const commit = options.commit === undefined ? undefined : wholeHash(options.commit, found.history);
      const counts = countByGate(clusters, found, commit, gate);
      const passes = counts.every((one) => one.passes);
      const text = countsText(counts);
      const over = Date.now() + pace.pause * 1000 > end;
      if (passes || over) {
        return {
          document: { ready: passes, counts, faults: found.faults },
          print: () => {
            for (const fault of found.faults) terminal.err(`${fault}\n`);
            terminal.out(
              passes ? text : `${text}Not ready within ${timeout} s. See arcflux status --failing.\n`,
            );
          },
          code: passes ? exitCodes.done : exitCodes.behind,
        };
      }
      // Progress is for people: a pipeline's log would fill with it.
      if (terminal.isScreen === true && options.json !== true && text !== last) terminal.err(text);
      last = text;
      await sleep(pace.pause * 1000);
    }
  });
}

function countsText(counts: readonly StageCount[]): string {
  return counts.map(({ stage, text }) => `${stage === undefined ? "" : `${stage}: `}${text}\n`).join("");
}

/** A commit may be given by the beginning of its hash, where that is one of those that were read. */
function wholeHash(text: string, history: History): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text;
  const found = /^[0-9a-f]{7,}$/.test(text) ? history.find(text) : [];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw new UsageError(
    found.length === 0
      ? `${text} is not a commit of the branches that the clusters follow. Give its whole hash.`
      : `${text} begins ${found.length} commits. Give more digits.`,
  );
}
