import { openBuilder } from "../build/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { withBranches } from "../git/index.ts";
import {
  type Moment,
  readHistory,
  readMoment,
  readRan,
  type StageHistory,
  type Track,
  trackOf,
  tracksOf,
} from "../history/index.ts";
import { recordBranch } from "../status/index.ts";
import { probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, UsageError } from "./fleetCommand.ts";
import { gitContext } from "./gitContext.ts";
import { historyCsv, historyText, ranText, wantedText } from "./historyText.ts";
import type { Terminal } from "./terminal.ts";
import { clockText, pastTime, sinceTime } from "./times.ts";
import { withRecord } from "./withRecord.ts";

interface HistoryOptions {
  readonly file: string;
  readonly cluster?: string;
  readonly at?: Date;
  readonly since?: Date;
  readonly record: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export const registerHistory: Register = (program, terminal, done) => {
  command(
    program,
    "history",
    "Say what version was in which stage when, who brought it, and what a cluster ran.",
    [
      "arcflux history prod                             # the newest promotions, rollbacks and hotfixes",
      "arcflux history prod --since 90d --csv > prod.csv",
      "arcflux history --at 2026-11-03                  # what each stage was at",
      'arcflux history --cluster store-417 --at "2026-11-03 10:00"',
    ],
  )
    .argument("[name]", "a stage or a cluster; all stages without it")
    .option("--cluster <name>", "this cluster, where a stage has the same name", notEmpty)
    .option("--at <time>", "what was wanted, and what ran, at that time", pastTime)
    .option("--since <time>", "from then on: a time, or 30d or 12h ago", sinceTime)
    .option(
      "--record <branch>",
      "where arcflux status --record keeps what clusters ran",
      notEmpty,
      recordBranch,
    )
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--csv", "one line for each commit")
    .option("--json", "print everything as JSON on standard output")
    .action(async (name: string | undefined, options: HistoryOptions) =>
      done(await history(name, options, terminal)),
    );
};

/** Events of each stage without --since. */
const newest = 20;

/** `arcflux history`: from the branches that clusters follow, and from the record of what they ran. */
function history(name: string | undefined, options: HistoryOptions, terminal: Terminal): Promise<ExitCode> {
  const empty = options.at === undefined ? { stages: [] } : { at: options.at.toISOString() };
  return fleetCommand(options.file, options, terminal, empty, async ({ fleet }) => {
    if (options.at !== undefined && options.since !== undefined)
      throw new UsageError("--at asks for one time and --since for a span; ask one at a time.");
    if (options.at !== undefined && options.csv === true)
      throw new UsageError("--csv is of a span of time; with --at use --json.");
    const asked = askedFor(fleet, name, options.cluster);
    return options.at === undefined
      ? spanAnswer(fleet, asked, options, terminal)
      : momentAnswer(fleet, asked, { ...options, at: options.at }, terminal);
  });
}

interface Asked {
  readonly tracks: readonly Track[];
  readonly cluster?: Cluster;
  /** Whether a name was given, so that a branch that is not there is an error. */
  readonly byName: boolean;
}

function askedFor(fleet: Fleet, name: string | undefined, byOption: string | undefined): Asked {
  if (name !== undefined && byOption !== undefined)
    throw new UsageError("A name and --cluster are two questions; give one of them.");
  const tracks = tracksOf(fleet);
  const track = tracks.find((one) => one.name === name);
  const wanted = byOption ?? name;
  const cluster = fleet.clusters.find((one) => one.name === wanted);
  if (wanted === undefined) return { tracks, byName: false };
  if (byOption === undefined && track !== undefined) {
    if (cluster !== undefined)
      throw new UsageError(
        `${name} is a stage and a cluster. Write --cluster ${name} for the cluster, or rename one of them.`,
      );
    return { tracks: [track], byName: true };
  }
  if (cluster !== undefined) return { tracks: [trackOf(fleet, cluster)], cluster, byName: true };
  const names = [...(byOption === undefined ? tracks : []), ...fleet.clusters].map((one) => one.name);
  const near = probable(wanted, names);
  throw new UsageError(
    `${show(wanted)} is not a ${byOption === undefined ? "stage or a " : ""}cluster of the fleet file${near === undefined ? "" : `; did you mean ${near}?`} Stages: ${showNames(tracks.map((one) => one.name)) || "none"}.`,
  );
}

async function spanAnswer(
  fleet: Fleet,
  { tracks, cluster, byName }: Asked,
  { since, csv = false }: HistoryOptions,
  terminal: Terminal,
): Promise<Answer> {
  const most = since === undefined ? newest : Infinity;
  const missing: string[] = [];
  const stages = await withBranches(fleet.repository.url, gitContext(fleet), async (repository) => {
    const found: StageHistory[] = [];
    missing.length = 0;
    for (const track of tracks) {
      const one = await readHistory(fleet, { track, cluster, since, most }, repository);
      if (one === undefined) missing.push(missingText(track));
      else found.push(one);
    }
    return found;
  });
  if (byName && stages.length === 0) throw new UsageError(missing.join(" "));
  return {
    document: {
      ...(cluster && { cluster: cluster.name }),
      stages: stages.map(({ track, events, more }) => ({
        stage: track.name,
        branch: track.branch,
        events,
        more,
      })),
    },
    print: () => {
      for (const line of missing) terminal.err(`${line}\n`);
      terminal.out(csv ? historyCsv(stages) : historyText(stages));
    },
  };
}

async function momentAnswer(
  fleet: Fleet,
  { tracks, cluster, byName }: Asked,
  { at, record }: HistoryOptions & { readonly at: Date },
  terminal: Terminal,
): Promise<Answer> {
  const opened = cluster === undefined ? undefined : openBuilder();
  const builder = opened === undefined || "kind" in opened ? undefined : opened;
  const moments = await withBranches(fleet.repository.url, gitContext(fleet), async (branches) => {
    const found: { readonly track: Track; readonly moment: Moment | undefined }[] = [];
    for (const track of tracks)
      found.push({ track, moment: await readMoment(fleet, track, cluster, at, branches, builder) });
    return found;
  }).finally(() => builder?.close());
  const there = moments.flatMap(({ track, moment }) => (moment === undefined ? [] : [{ track, moment }]));
  const missing = moments.flatMap(({ track, moment }) => (moment === undefined ? [missingText(track)] : []));
  if (byName && there.length === 0) throw new UsageError(missing.join(" "));
  if (cluster === undefined) {
    return {
      document: {
        at: at.toISOString(),
        stages: there.map(({ track, moment }) => ({ stage: track.name, branch: track.branch, ...moment })),
      },
      print: () => {
        for (const line of missing) terminal.err(`${line}\n`);
        for (const { track, moment } of there) terminal.out(`${track.name}  ${wantedText(track, moment)}\n`);
      },
    };
  }
  const ran = await withRecord(fleet, record, (tree) => readRan(tree, cluster.name, at));
  const [{ track, moment }] = there as [(typeof there)[number]];
  return {
    document: {
      at: at.toISOString(),
      cluster: cluster.name,
      wanted: { stage: track.name, branch: track.branch, ...moment },
      ran: ran ?? {},
    },
    print: () => {
      const { ran: line, gap } =
        ran === undefined
          ? {
              ran: `not known: there is no record on ${record}; arcflux status --record keeps one`,
              gap: `at any time up to ${clockText(new Date().toISOString())}`,
            }
          : ranText(ran, at);
      terminal.out(`wanted     ${wantedText(track, moment)}\nran        ${line}\nnot known  ${gap}\n`);
    },
  };
}

function missingText({ name, branch }: Track): string {
  return `${name}: branch ${branch} is not there; the first promotion makes it.`;
}
