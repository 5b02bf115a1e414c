import type { Fleet } from "../fleet/model.ts";
import { abortRollout, type RingBack, type RingStep, ringsOf, rolloutNext } from "../stages/index.ts";
import { printable } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { type PinOptions, rolloutPin } from "./rolloutPin.ts";
import { gatesText } from "./stageText.ts";
import { stageWorld } from "./stageWorld.ts";
import type { Terminal } from "./terminal.ts";

interface NextOptions {
  readonly file: string;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly unverified?: boolean;
  readonly emergency?: string;
  readonly json?: boolean;
}

interface AbortOptions {
  readonly file: string;
  readonly back?: boolean;
  readonly now?: boolean;
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const registerRollout: Register = (program, terminal, done) => {
  program.enablePositionalOptions();
  const rollout = command(
    program,
    "rollout",
    "Carry a change or a pin on from ring to ring of a stage, or take it back.",
    [
      "arcflux rollout next                             # what is promoted, as a schedule calls it",
      "arcflux rollout abort prod --back",
      "arcflux rollout infrastructure v1.5.0            # a pin, into the next ring of the fleet file",
      "arcflux rollout infrastructure --back",
    ],
  )
    // Options that it shares with its own commands are theirs behind their names; the program has to leave them alone too.
    .enablePositionalOptions()
    .argument("[source]", "a key of `sources`, whose pin goes from ring to ring in the fleet file")
    .argument("[ref]", "a tag, or KEY=VALUE such as semver=1.x")
    .option("--stage <stage>", "the stage with rings, where there are several", notEmpty)
    .option("--back", "set every ring that is ahead to what the last one has")
    .option("--dry-run", "show the next step, and change nothing")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the step as JSON on standard output")
    .action(async (source: string | undefined, ref: string | undefined, options: PinOptions) => {
      if (source !== undefined) return done(await rolloutPin(source, ref, options, terminal));
      terminal.err(
        "Say what to roll out: next, abort, or a source with a revision. See arcflux rollout --help.\n",
      );
      done(exitCodes.input);
    });
  command(
    rollout,
    "next",
    "Move each ring on that may: the one before is ready, and has been for its soak.",
    [
      "arcflux rollout next                             # what a schedule calls; does nothing until then",
      "arcflux rollout next prod --dry-run",
    ],
  )
    .argument("[stage]", "a stage with rings. Default: all of them")
    .option("--dry-run", "show gates, and change nothing")
    .option("--again", "also bring again what a rollback took back")
    .option("--unverified", "also where clusters cannot be asked; written into the commit")
    .option("--emergency <reason>", "why a freeze is passed; written into the commit", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print steps and gates as JSON on standard output")
    .action(async (stage: string | undefined, options: NextOptions) =>
      done(await next(stage, options, terminal)),
    );

  command(rollout, "abort", "Take the rings that are ahead back to what the last ring has.", [
    "arcflux rollout abort prod --back --dry-run",
    'arcflux rollout abort prod --back --now --reason "INC-4711"',
  ])
    .argument("<stage>", "a stage with rings")
    .option("--back", "by a rollback of each ring that is ahead")
    .option("--now", "the emergency: pass freezes, ask nobody but Git; needs --reason")
    .option("--reason <text>", "why; written into the commits", notEmpty)
    .option("--dry-run", "show what goes back, and change nothing")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what went back as JSON on standard output")
    .action(async (stage: string, options: AbortOptions) => done(await abort(stage, options, terminal)));
};

/** `arcflux rollout next`: 0 moved, waiting or nothing to do; 1 where it stopped for failing clusters or a gate. */
function next(
  asked: string | undefined,
  { file, json = false, ...options }: NextOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { steps: [] }, async ({ fleet }) => {
    const { dryRun = false, again = false, unverified = false, emergency } = options;
    const steps: RingStep[] = [];
    for (const stage of asked === undefined ? ringedStages(fleet) : [asked])
      steps.push(
        ...(await rolloutNext(fleet, stage, { dryRun, again, unverified, emergency }, stageWorld(fleet))),
      );
    return {
      document: {
        steps: steps.map(({ ring, before, state, promotion: { commit, gates, made } }) => ({
          ...{ ring: ring.name, from: before.name, state, commit: commit.id, gates, made: made ?? null },
        })),
      },
      print() {
        for (const step of steps) {
          if (step.state !== "same") terminal.out(gatesText(step.promotion.gates, terminal));
          terminal.out(`${printable(stepText(step))}\n`);
        }
      },
      code: steps.some(({ state }) => state === "failed" || state === "stopped")
        ? exitCodes.failed
        : exitCodes.done,
    };
  });
}

function ringedStages(fleet: Fleet): readonly string[] {
  const names = fleet.stages.flatMap(({ ring }) => ring?.stage ?? []);
  if (names.length > 0) return [...new Set(names)];
  throw new UsageError(
    "No stage of the fleet file has rings that a promotion moves. Write stages.<stage>.rings.",
  );
}

function stepText({ ring, before, state, promotion }: RingStep): string {
  const what = `${promotion.commit.id.slice(0, 10)} (${promotion.commit.subject})`;
  switch (state) {
    case "moved":
      return `${ring.name} has ${what} of ${before.name} now.`;
    case "same":
      return `${ring.name} has what ${before.name} has.`;
    case "waits":
      return `${ring.name} waits: ${before.name} is not ready with ${what} for its soak yet.`;
    case "failed":
      return `The roll-out of ${what} stopped: more clusters of ${before.name} fail than maxFailed lets. ${waysOut(ring)}`;
    case "stopped":
      return `${what} does not go on to ${ring.name}. ${waysOut(ring)}`;
    case "possible":
      return `${what} can go on to ${ring.name}. Nothing was changed.`;
  }
}

function waysOut({ ring, name }: RingStep["ring"]): string {
  const stage = ring?.stage ?? name;
  return `On, with a version that mends it: arcflux promote ${stage}. Back: arcflux rollout abort ${stage} --back.`;
}

/** `arcflux rollout abort`: 0 done or nothing to do, 1 where a ring did not go back. */
function abort(
  stage: string,
  { file, json = false, ...options }: AbortOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { rings: [] }, async ({ fleet }) => {
    const { back = false, now = false, reason, dryRun = false } = options;
    if (!back)
      throw new UsageError(
        `A roll-out stands still where nobody calls arcflux rollout next. To take its rings back: arcflux rollout abort ${stage} --back.`,
      );
    if (now && reason === undefined)
      throw new UsageError("--now passes freezes and asks nobody: say why, with --reason TEXT.");
    const backs = await abortRollout(fleet, stage, { reason, now, dryRun }, stageWorld(fleet));
    return {
      document: {
        rings: backs.map(({ ring, back: done }) => ({
          ...{ ring: ring.name, outcome: done?.outcome ?? "same", gates: done?.gates ?? [] },
          ...{ paths: done?.paths ?? [], made: done?.made ?? null },
        })),
      },
      print() {
        for (const each of backs) {
          if (each.back !== undefined) terminal.out(gatesText(each.back.gates, terminal));
          terminal.out(`${printable(backText(each))}\n`);
        }
        if (backs.every(({ back: done }) => done === undefined))
          terminal.out(
            `No ring of ${stage} is ahead. To take back what all have: arcflux rollback ${stage}.\n`,
          );
      },
      code: backs.some(({ back: done }) => done?.outcome === "stopped" || done?.outcome === "asks")
        ? exitCodes.failed
        : exitCodes.done,
    };
  });
}

function backText({ ring: { name, branch }, back }: RingBack): string {
  if (back === undefined || back.outcome === "same") return `${name} has what the last ring has.`;
  const to = `${back.target.id.slice(0, 10)} (${back.target.subject})`;
  if (back.outcome === "rolledBack")
    return `${name} is as at ${to} again: ${(back.made ?? "").slice(0, 10)} on ${branch}.`;
  return back.outcome === "possible"
    ? `${name} can go back to ${to}. Nothing was changed.`
    : `${name} was not taken back to ${to}.`;
}

/** What to say after a promotion into the first ring of a stage. */
export function ringsToCome(fleet: Fleet, stage: string): string {
  const [, ...others] = ringsOf(fleet, stage);
  return others.length === 0
    ? ""
    : ` Rings to come: ${others.map(({ ring }) => ring?.name ?? "").join(", ")}. They follow by arcflux rollout next ${stage}.`;
}
