import { hotfix, type Hotfixed, type Target } from "../stages/index.ts";
import { printable, showNames } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { gatesText } from "./stageText.ts";
import { stageWorld } from "./stageWorld.ts";
import type { Terminal } from "./terminal.ts";

interface HotfixOptions {
  readonly file: string;
  readonly emergency?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const registerHotfix: Register = (program, terminal, done) => {
  command(
    program,
    "hotfix",
    "Put the change of one commit on a stage, and on the branch that updates commit to.",
    ["arcflux hotfix prod 4f2c1ab0", "arcflux hotfix prod fix/till --dry-run          # the tip of a branch"],
  )
    .argument("<stage>", "a key of `stages`")
    .argument("<commit>", "a commit of the stage or of main by its hash, else the branch whose tip it is")
    .option("--dry-run", "show what each branch does with it, and change nothing")
    .option("--emergency <reason>", "why a freeze is passed; written into the commit", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what each branch did as JSON on standard output")
    .action(async (stage: string, commit: string, options: HotfixOptions) =>
      done(await hotfixStage(stage, commit, options, terminal)),
    );
};

/** `arcflux hotfix`: 0 done or nothing to do, 1 where a person has to look. */
function hotfixStage(
  stage: string,
  commit: string,
  { file, json = false, dryRun = false, emergency }: HotfixOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { outcome: null, targets: [] }, async ({ fleet }) => {
    const found = await hotfix(fleet, { stage, commit, dryRun, emergency }, stageWorld(fleet));
    const { outcome, targets, gates } = found;
    return {
      document: { stage, commit: found.commit.id, outcome, gates, targets },
      print() {
        terminal.out(gatesText(gates, terminal));
        for (const target of targets) terminal.out(`${printable(lineOf(target, found))}\n`);
        if (targets.some(({ state }) => state === "differs")) terminal.out(byHand(found));
        if (
          outcome === "possible" ||
          (outcome === "stopped" && targets.every(({ made }) => made === undefined))
        )
          terminal.out("Nothing was changed.\n");
      },
      code: outcome === "stopped" ? exitCodes.failed : exitCodes.done,
    };
  });
}

function lineOf({ branch, state, paths, made }: Target, { commit, outcome }: Hotfixed): string {
  const what = `${commit.id.slice(0, 10)} (${commit.subject})`;
  switch (state) {
    case "has":
      return `${branch} has ${what} already.`;
    case "takes":
      return made === undefined
        ? `${branch} ${outcome === "possible" ? "can take" : "could take"} ${what}: ${showNames(paths, 5)}.`
        : `${branch} has ${what} now, as ${made.slice(0, 10)}: ${showNames(paths, 5)}.`;
    case "differs":
      return `${branch} has something else than the commit before ${what} at ${showNames(paths, 5)}.`;
  }
}

/** What git does by hand, for each branch that needs a person. Promotions know it by the words of -x. */
function byHand({ commit, targets }: Hotfixed): string {
  const lines = targets
    .filter(({ state }) => state !== "has")
    .flatMap(({ branch }) => [
      `  git switch -C hotfix origin/${branch} && git cherry-pick -x ${commit.id.slice(0, 12)}`,
      `  git push origin HEAD:${branch}`,
    ]);
  return `By hand:\n  git fetch origin\n${lines.join("\n")}\n`;
}
