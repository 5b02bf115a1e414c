import { openBuilder } from "../build/index.ts";
import { changesBetween, type ClusterChanges, noFiles, type Side } from "../checks/applied/index.ts";
import type { Fleet } from "../fleet/model.ts";
import { entryOf, onlyWaits, promote, type Promotion, type Route, type Sides } from "../stages/index.ts";
import { printable } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { diffText } from "./diffFormats.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { ringsToCome } from "./rollout.ts";
import { gatesText } from "./stageText.ts";
import { stageWorld } from "./stageWorld.ts";
import type { Terminal } from "./terminal.ts";

interface PromoteOptions {
  readonly file: string;
  readonly dryRun?: boolean;
  readonly pullRequest?: boolean;
  readonly again?: boolean;
  readonly unverified?: boolean;
  readonly emergency?: string;
  readonly all?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

export const registerPromote: Register = (program, terminal, done) => {
  command(program, "promote", "Bring what the stage before has to a stage, once every gate lets it pass.", [
    "arcflux promote prod --dry-run                   # its gates, and what changes on its clusters",
    "arcflux promote prod 4f2c1ab0",
    'arcflux promote prod --emergency "INC-4711: the till is down"',
  ])
    .argument("<stage>", "a key of `stages`")
    .argument("[commit]", "a commit of the branch before. Default: its tip")
    .option("--dry-run", "show gates and changes, and change nothing")
    .option("--pull-request", "open a pull request of the finished merge instead of pushing it")
    .option("--again", "also bring again what a rollback took back")
    .option("--unverified", "also where clusters or checks cannot be asked; written into the commit")
    .option("--emergency <reason>", "why a freeze is passed; written into the commit", notEmpty)
    .option("--all", "reach more clusters at once than limits lets; needs --reason")
    .option("--reason <text>", "why; written into the commit", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print gates and outcome as JSON on standard output")
    .action(async (stage: string, commit: string | undefined, options: PromoteOptions) =>
      done(await promoteStage(stage, commit, options, terminal)),
    );
};

/** `arcflux promote`: 0 promoted, requested or nothing to do; 1 stopped by a gate; 4 where only time is missing. */
function promoteStage(
  stage: string,
  commit: string | undefined,
  { file, json = false, dryRun = false, ...options }: PromoteOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { outcome: null, gates: [] }, async ({ fleet }) => {
    const { again = false, unverified = false, pullRequest = false, emergency } = options;
    if (options.all === true && options.reason === undefined)
      throw new UsageError("--all passes limits: say why, with --reason TEXT.");
    const all = options.all === true ? options.reason : undefined;
    let changes: readonly ClusterChanges[] | string | undefined;
    const request = {
      stage: entryOf(fleet, stage),
      commit,
      dryRun,
      again,
      unverified,
      pullRequest,
      emergency,
      all,
    };
    const found = await promote(fleet, request, stageWorld(fleet), async (route, sides) => {
      changes = await changesOf(fleet, route, sides);
    });
    const { outcome, gates, notes, route, made } = found;
    return {
      document: {
        ...{ stage, from: route.from.name, branch: route.stage.branch, commit: found.commit.id },
        ...{ outcome, gates, notes, made: made ?? null },
        ...(found.request && { pullRequest: found.request }),
        ...(typeof changes === "string" ? { notBuilt: changes } : changes && { changes }),
      },
      print() {
        for (const note of notes) terminal.err(`${printable(note)}\n`);
        terminal.out(gatesText(gates, terminal));
        if (typeof changes === "string") terminal.err(`What changes on clusters is not shown. ${changes}\n`);
        else if (changes !== undefined) terminal.out(diffText(changes));
        const more = outcome === "promoted" || outcome === "requested" ? ringsToCome(fleet, stage) : "";
        terminal.out(`${printable(`${endOf(found)}${more}`)}\n`);
      },
      code: outcome !== "stopped" ? exitCodes.done : onlyWaits(gates) ? exitCodes.behind : exitCodes.failed,
    };
  });
}

/** By meaning: what Flux creates, changes and deletes on the clusters of the stage; or why that cannot be built here. */
async function changesOf(
  { repository: { url } }: Fleet,
  { stage, clusters }: Route,
  { before, after, pinned }: Sides,
): Promise<ClusterChanges[] | string> {
  const builder = openBuilder();
  if ("kind" in builder) return builder.message;
  const sideOf = (tree: Side["tree"]) => ({ tree, branch: stage.branch });
  try {
    return await changesBetween(clusters, { url, pinned }, sideOf(before ?? noFiles), sideOf(after), builder);
  } finally {
    await builder.close();
  }
}

function endOf({ outcome, route, commit, made = "", request }: Promotion): string {
  const { stage, from } = route;
  const what = `${commit.id.slice(0, 10)} (${commit.subject}) of ${from.name}`;
  switch (outcome) {
    case "promoted":
      return `${stage.name} has ${what} now: ${made.slice(0, 10)} on ${stage.branch}. Follow it: arcflux wait --stage ${stage.name}`;
    case "requested":
      return request?.url === undefined
        ? `${request?.branch ?? ""} holds the finished merge of ${what}. Open a pull request into ${stage.branch}.`
        : `${request.url} waits to be merged: it brings ${what} to ${stage.name}.`;
    case "same":
      return `${stage.name} has the files of ${what} already.`;
    case "stopped":
      return `${what} was not promoted to ${stage.name}.`;
    case "possible":
      return `${what} can be promoted to ${stage.name}. Nothing was changed.`;
  }
}
