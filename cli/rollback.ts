import { type PinBack, ringsOf, rollBack, type RolledBack } from "../stages/index.ts";
import { printable, showNames } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import { gatesText } from "./stageText.ts";
import { stageWorld } from "./stageWorld.ts";
import type { Terminal } from "./terminal.ts";
import { writePins } from "./writePins.ts";

interface RollbackOptions {
  readonly file: string;
  readonly to?: string;
  readonly only?: string;
  readonly reason?: string;
  readonly now?: boolean;
  readonly yes?: boolean;
  readonly fleet?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const registerRollback: Register = (program, terminal, done) => {
  command(
    program,
    "rollback",
    "Make a stage, or a part of it, what it was: by a new commit, never by a reset.",
    [
      "arcflux rollback prod --dry-run                  # what goes back, and what is deleted by that",
      'arcflux rollback prod --now --reason "INC-4711"   # through freezes, by Git alone',
      "arcflux rollback prod --to 2026-11-03T10:00Z --only apps/pos",
      "arcflux rollback store-001                       # the folder of one cluster",
    ],
  )
    .argument("<name>", "a key of `stages` or of `clusters`")
    .option(
      "--to <commit or time>",
      "what to go back to. Default: the state before the last promotion",
      notEmpty,
    )
    .option("--only <path or set>", "take back only that", notEmpty)
    .option("--now", "the emergency: pass freezes, ask nobody but Git; needs --reason")
    .option("--reason <text>", "why; written into the commit", notEmpty)
    .option("--yes", "also take back what else goes with it, and with --now delete what that deletes")
    .option("--fleet", "write into the fleet file what it has to say then")
    .option("--dry-run", "show what goes back, and change nothing")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what went back as JSON on standard output")
    .action(async (of: string, options: RollbackOptions) => done(await rollback(of, options, terminal)));
};

/** `arcflux rollback`: 0 done or nothing to do, 1 stopped or waiting for --yes. */
function rollback(
  of: string,
  { file, json = false, ...options }: RollbackOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { outcome: null, gates: [] }, async (loaded) => {
    const { to, only, reason, now = false, yes = false, dryRun = false } = options;
    if (now && reason === undefined)
      throw new UsageError("--now passes freezes and asks nobody: say why, with --reason TEXT.");
    // Each ring of a stage goes back by itself: it has a branch of its own.
    const rings = ringsOf(loaded.fleet, of).map(({ name }) => name);
    const found: RolledBack[] = [];
    const written = new Set<RolledBack>();
    for (const part of rings.length === 0 ? [of] : rings) {
      const request = { of: part, to, only, reason, now, yes, dryRun };
      const one = await rollBack(loaded.fleet, request, stageWorld(loaded.fleet));
      found.push(one);
      if (options.fleet !== true || one.outcome !== "rolledBack" || one.pins.length === 0) continue;
      const pins = one.pins.map(({ path, ref }) => ({ path, value: flow(ref) }));
      await writePins(file, loaded, pins);
      written.add(one);
    }
    const documents = found.map((one) => documentOf(one.scope.stage ?? of, one, written.has(one)));
    return {
      document: rings.length === 0 ? { ...documents[0], of } : { of, rings: documents },
      print: () => {
        for (const one of found) print(one, written.has(one), terminal);
      },
      code: found.every(({ outcome }) => ["rolledBack", "same", "possible"].includes(outcome))
        ? exitCodes.done
        : exitCodes.failed,
    };
  });
}

function documentOf(of: string, found: RolledBack, isWritten: boolean): Readonly<Record<string, unknown>> {
  const { outcome, gates, also, paths, pins, notes, target, made } = found;
  return {
    ...{ of, branch: found.scope.branch, to: target.id, outcome, gates, notes, paths },
    ...{ also: also.map(({ id, author, subject }) => ({ commit: id, author, subject })) },
    ...{ fleet: pins.map(pinText), fleetWritten: isWritten, made: made ?? null },
  };
}

function print(found: RolledBack, isWritten: boolean, terminal: Terminal): void {
  const { outcome, gates, also, pins, notes } = found;
  for (const note of notes) terminal.err(`${printable(note)}\n`);
  terminal.out(gatesText(gates, terminal));
  for (const { id, author, subject } of also)
    terminal.out(`${printable(`  also goes back: ${id.slice(0, 10)} by ${author}: ${subject}`)}\n`);
  terminal.out(`${printable(endOf(found))}\n`);
  if (pins.length === 0 || outcome === "same") return;
  const list = pins.map(pinText).join(", ");
  terminal.out(
    isWritten
      ? `Written into the fleet file: ${list}. Run pulumi up to commit it.\n`
      : `The fleet file says otherwise until it has ${list}: --fleet writes that.\n`,
  );
}

/** `stages.prod.pins.infrastructure: { tag: v0.1.0 }` */
function pinText({ path, ref }: PinBack): string {
  return `${path.join(".")}: ${flow(ref)}`;
}

function flow(ref: PinBack["ref"]): string {
  return `{ ${Object.entries(ref)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}

function endOf({ outcome, scope, target, paths, also, made = "" }: RolledBack): string {
  const what = scope.only ?? scope.cluster?.name ?? scope.stage ?? scope.branch;
  const state = `${target.id.slice(0, 10)} (${target.subject})`;
  const files = `${plural(paths.length, "file")}: ${showNames(paths, 5)}`;
  switch (outcome) {
    case "rolledBack":
      return `${what} is as at ${state} again: ${made.slice(0, 10)} on ${scope.branch} (${files}).${scope.stage === undefined ? "" : ` Follow it: arcflux wait --stage ${scope.stage}`}`;
    case "same":
      return `${what} is as at ${state} already.`;
    case "stopped":
      return `${what} was not rolled back to ${state}.`;
    case "asks":
      return `${plural(also.length, "change")} beside promotions would go back with ${what} (${files}). If that is meant: --yes; else take back a part: --only PATH.`;
    case "possible":
      return `${what} can go back to ${state} (${files})${also.length > 0 ? ", with --yes" : ""}. Nothing was changed.`;
  }
}
