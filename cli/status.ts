import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { changeFile } from "../git/index.ts";
import {
  type Arrival,
  arrivalNotes,
  arrivalOf,
  countByGate,
  credentialsOf,
  daysLeft,
  endingText,
  type FleetStatus,
  isAlarm,
  metricsText,
  recordBranch,
  recorded,
  recordedMetric,
  recordPath,
  type Sent,
  statusDocument,
  statusText,
  askNow,
} from "../status/index.ts";
import { showSome } from "../values/show.ts";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { driftAnswer } from "./drift.ts";
import { type Answer, fleetCommand, type LoadedFleet } from "./fleetCommand.ts";
import { timeoutOption, withChoice } from "./statusOptions.ts";
import { sentByStack } from "./stackOutputs.ts";
import type { Terminal } from "./terminal.ts";

export interface StatusOptions extends ClusterChoice {
  readonly failing?: boolean;
  /** Says what drifted, and nothing of what fails or waits. */
  readonly drift?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly metrics?: boolean;
  /** Branch of the record, or true for the usual one. */
  readonly record?: string | true;
  readonly credentials?: boolean;
  /** Stack whose last update is compared with what clusters told since. */
  readonly stack?: string;
  /** Asks clusters before Azure. */
  readonly direct?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

export const registerStatus: Register = (program, terminal, done) => {
  withChoice(
    command(program, "status", "Say what every cluster should run, what it runs, and what is wrong.", [
      "arcflux status",
      "arcflux status --stage prod --failing            # exit code 4 when there is something",
      "arcflux status --label region=north --json",
      "arcflux status --credentials --stack prod        # exit code 4 while a cluster lacks the new one",
    ]),
  )
    .option("--failing", "only clusters that are behind or failing")
    .option("--drift", "only what is not as Git says although nothing is under way; 4 for that alone")
    .option("--direct", "ask the clusters by your kubeconfig before Azure: newer, and edits by hand show")
    .option("--watch", "look again every half minute, until Ctrl-C")
    .addOption(timeoutOption("what does not answer in that time was not asked", "60s"))
    .option("--credentials", "say what tokens, certificates and identities end when")
    .option(
      "--stack <name>",
      "say whom what this stack sent last has not reached, such as a new credential",
      notEmpty,
    )
    .option("--metrics", "print the states for Prometheus, in its text format")
    .option("--record [branch]", `keep what changed on a branch of its own. Default: ${recordBranch}`)
    .option("--json", "print the states as JSON on standard output")
    .action(async (file: string, options: StatusOptions) => done(await status(file, options, terminal)));
};

/** Between two looks of --watch, in milliseconds. */
const pause = 30_000;

/** `arcflux status`: one line a cluster, and what is wrong below it. */
export async function status(file: string, options: StatusOptions, terminal: Terminal): Promise<ExitCode> {
  for (;;) {
    const code = await fleetCommand(file, options, terminal, { clusters: [] }, (loaded) =>
      statusAnswer(loaded, chosenClusters(loaded.fleet, options), options, terminal),
    );
    if (options.watch !== true || code === exitCodes.input) return code;
    await sleep(pause);
  }
}

async function statusAnswer(
  { fleet, finding }: Pick<LoadedFleet, "fleet" | "finding">,
  clusters: readonly Cluster[],
  options: StatusOptions,
  terminal: Terminal,
): Promise<Answer> {
  const { failing = false, metrics = false, credentials: asked = false, record, timeout, direct } = options;
  const [found, sent] = await Promise.all([
    askNow(fleet, clusters, timeout, process.env, { direct: direct === true }),
    options.stack === undefined ? undefined : sentByStack(options.stack),
  ]);
  const now = new Date(found.asOf);
  const nobody = nobodyAsked(found);
  if (options.drift === true) return driftAnswer({ fleet, finding }, found, nobody ?? [], terminal);
  const fails = found.states.some(({ word }) => isAlarm(word));
  const code = nobody !== undefined ? exitCodes.failed : fails ? exitCodes.behind : exitCodes.done;
  const kept = record === undefined ? undefined : await keepRecord(fleet, found, record);
  const { credentials, faults } = await credentialsOf(fleet.repository, found.certificates, {
    env: process.env,
    askHost: asked || metrics,
  });
  const arrivals = arrivalsOf(clusters, found, sent, now);
  const arriving = arrivalNotes(arrivals);
  const allFaults = [...found.faults, ...(nobody ?? []), ...faults];
  const sayFaults = (): void => allFaults.forEach((fault) => terminal.err(`${fault}\n`));
  if (metrics) {
    const recordedAt = kept === undefined ? "" : recordedMetric(found.asOf);
    return {
      document: { metrics: metricsText(found, credentials) },
      print: () => {
        sayFaults();
        terminal.out(`${metricsText(found, credentials)}${recordedAt}`);
      },
      code,
    };
  }
  if (asked) {
    const ending = endingText(credentials, now);
    return {
      document: { credentials, ...(sent && { sent: sentDocument(arrivals) }), faults: allFaults },
      print: () => {
        sayFaults();
        for (const one of credentials)
          terminal.out(
            `${one.ends.slice(0, 10)}  ${daysLeft(one, now)} days  ${one.kind}  ${one.name}  (${one.by})\n`,
          );
        if (credentials.length === 0) terminal.out("Nothing is known to end.\n");
        for (const line of [...ending, ...arriving]) terminal.err(`${line}\n`);
      },
      code:
        arriving.length > 0 || credentials.some((one) => daysLeft(one, now) < 0)
          ? exitCodes.behind
          : exitCodes.done,
    };
  }
  const shown = failing ? found.states.filter(({ word }) => isAlarm(word)) : found.states;
  const counts = countByGate(clusters, found);
  return {
    document: {
      ...statusDocument({ ...found, states: shown, faults: [...found.faults, ...(nobody ?? [])] }, counts),
      ...(sent && { sent: sentDocument(arrivals) }),
    },
    print: () => {
      sayFaults();
      const away = arcIdentities(found);
      const ending = credentials.filter(({ kind, name }) => kind !== "Arc identity" || away.has(name));
      for (const line of [...endingText(ending, now), ...arriving]) terminal.err(`${line}\n`);
      if (shown.length > 0) terminal.out(statusText(shown, now));
      for (const { stage, text } of counts)
        terminal.out(`${stage === undefined ? "" : `${stage}: `}${text}\n`);
      if (kept !== undefined) terminal.out(`${kept}\n`);
    },
    code,
  };
}

/** How what a stack sent last fares, by cluster, as Azure tells now; empty where nobody asked for it. */
function arrivalsOf(
  clusters: readonly Cluster[],
  { toldAt }: FleetStatus,
  sent: ReadonlyMap<string, Sent> | undefined,
  now: Date,
): ReadonlyMap<string, Arrival> {
  if (sent === undefined) return new Map();
  return new Map(
    clusters.flatMap(({ name, formerly = name }): [string, Arrival][] => {
      const before = sent.get(name) ?? sent.get(formerly);
      const told = toldAt.get(name);
      if (before === undefined) return [];
      return [[name, arrivalOf(before, told === undefined ? undefined : { toldAt: told }, now.getTime())]];
    }),
  );
}

function sentDocument(arrivals: ReadonlyMap<string, Arrival>): object {
  return Object.fromEntries([...arrivals].map(([name, { state, before }]) => [name, { state, ...before }]));
}

/** That no cluster's state is known, so that nothing failing means nothing; undefined where one's is. */
function nobodyAsked({ states }: FleetStatus): readonly [string] | undefined {
  const [first] = states;
  if (first === undefined || states.some(({ word }) => word !== "not asked")) return undefined;
  const names = showSome(states.map(({ cluster }) => cluster));
  const why = first.reason === undefined ? "" : ` (${first.reason})`;
  return [`Nobody could be asked what ${names} ${states.length > 1 ? "run" : "runs"}${why}.`];
}

/** The identities renew themselves while the cluster is connected: one that is away and about to end is worth a line. */
function arcIdentities({ states }: FleetStatus): ReadonlySet<string> {
  return new Set(states.flatMap(({ cluster, word }) => (word === "offline" ? cluster : [])));
}

/** Brings what changed to the branch of the record; says in a line what became of it. */
async function keepRecord(fleet: Fleet, found: FleetStatus, named: string | true): Promise<string> {
  const { url, commit } = fleet.repository;
  const branch = named === true ? recordBranch : named.replace(/^refs\/heads\//, "");
  const path = recordPath(found.asOf);
  const author = { name: commit.name, email: commit.email };
  const made = await changeFile(
    { url, branch, path, message: `Record of ${found.asOf.slice(0, 16)}Z`, author },
    { env: process.env },
    (before) => recorded(before, found.states, found.asOf),
  );
  return made === undefined
    ? `Nothing changed since the last record on ${branch}.`
    : `Recorded on ${branch}, ${path}.`;
}
