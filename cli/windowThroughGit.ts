import type { Cluster, Fleet } from "../fleet/model.ts";
import { durationSeconds } from "../values/duration.ts";
import { show, showNames, showSome } from "../values/show.ts";
import { editFleetFile } from "./editFleetFile.ts";
import { fileOf } from "./edits.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import { scalar, written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

/** Which clusters, and when: a dated opening of the fleet file. */
export interface ThroughGit {
  readonly file: string;
  readonly reason: string;
  readonly clusters?: readonly string[];
  readonly stages?: readonly string[];
  readonly match?: Readonly<Record<string, string>>;
  /** Such as `30m`. */
  readonly for: string;
  /** When it begins; as soon as clusters can know of it, where it is left out. */
  readonly at?: Date;
  readonly json?: boolean;
}

/**
 * `arcflux window open` for clusters that nobody has to reach: writes a dated opening into the fleet file, comments kept,
 * and commits nothing. A device that is off then does not open later, and the next update takes the opening out.
 */
export function openThroughGit(
  name: string,
  options: ThroughGit,
  terminal: Terminal,
  now: number = Date.now(),
): Promise<ExitCode> {
  return fleetCommand(
    options.file,
    { json: options.json ?? false },
    terminal,
    { opening: null },
    async (loaded) => {
      const concerned = concernedBy(loaded.fleet, name, options);
      const start = startOf(loaded.fleet, concerned, options.at, now);
      const path = fileOf(loaded, ["windows", name], options.file);
      refuseSecond(loaded, name, start);
      const entry = entryOf(options);
      await editFleetFile(options.file, path, (text) =>
        written(text, ["windows", name, "openings", start], entry),
      );
      return {
        document: { file: path, opening: start, clusters: concerned.map((one) => one.name) },
        print: () => terminal.out(saidOf(loaded.fleet, name, path, start, concerned, options)),
      };
    },
  );
}

function concernedBy(
  fleet: Fleet,
  name: string,
  { clusters, stages, match = {} }: ThroughGit,
): readonly Cluster[] {
  const unknown = clusters?.find((one) => !fleet.clusters.some((cluster) => cluster.name === one));
  if (unknown !== undefined) throw new UsageError(`The fleet file has no cluster ${show(unknown)}.`);
  const noStage = stages?.find((one) => !fleet.stages.some((stage) => stage.name === one));
  if (noStage !== undefined)
    throw new UsageError(
      `The fleet file has no stage ${show(noStage)}. Its stages: ${showNames(fleet.stages.map((stage) => stage.name)) || "none"}.`,
    );
  const meant = fleet.clusters.filter(
    (cluster) =>
      (clusters?.includes(cluster.name) ?? true) &&
      (stages === undefined || (cluster.stage !== undefined && stages.includes(cluster.stage))) &&
      Object.entries(match).every(([key, value]) => cluster.labels[key] === value),
  );
  const having = meant.filter(({ windows }) => windows.some((window) => window.name === name));
  if (having.length === 0) {
    const windows = new Set(
      fleet.clusters.flatMap((cluster) => cluster.windows.map((window) => window.name)),
    );
    throw new UsageError(
      `None of these clusters has a window ${show(name)}; windows are ${showNames(windows) || "none"}.`,
    );
  }
  const frozen = having.find(({ freeze }) => freeze !== undefined);
  if (frozen?.freeze !== undefined)
    throw new UsageError(
      `${frozen.name} is frozen until ${frozen.freeze.until} (${frozen.freeze.reason}), which keeps its windows shut. Shorten freezes.${frozen.freeze.name}, or open one cluster at once with --context.`,
    );
  return having;
}

const step = 10 * 60_000;

/** The time at which it begins, as a key of the fleet file; on a multiple of ten minutes. */
function startOf(fleet: Fleet, clusters: readonly Cluster[], at: Date | undefined, now: number): string {
  const { branch } = fleet.repository;
  const promoted = clusters.filter(({ follows }) => follows !== branch);
  if (at === undefined && promoted.length > 0)
    throw new UsageError(
      `${showSome(promoted.map(({ name }) => name))} get the opening by promotion. Say when that will be done: --at 2026-12-01T10:00Z.`,
    );
  // An update has to be made, and each cluster looks at its interval.
  const lead = 10 * 60 + Math.max(...clusters.map(({ fetchInterval }) => durationSeconds(fetchInterval)));
  const earliest = Math.ceil((now + lead * 1000) / step) * step;
  const start = at === undefined ? earliest : at.getTime();
  if (start % step !== 0)
    throw new UsageError(
      "--at is not on a multiple of ten minutes, when the jobs of windows run; write one, such as 10:20.",
    );
  if (start < now + step)
    throw new UsageError(
      "--at is over, or too near for a cluster to hear of it; write a later time, or use --context.",
    );
  return `${new Date(start).toISOString().slice(0, 16)}Z`;
}

function refuseSecond({ origin }: LoadedFleet, name: string, start: string): void {
  const there = origin?.file.windows[name]?.openings;
  if (there !== undefined && Object.hasOwn(there, start))
    throw new UsageError(
      `windows.${name}.openings has one at ${start} already. Write another time, or edit that one.`,
    );
}

function entryOf({ for: duration, reason, stages, match, clusters }: ThroughGit): string {
  const list = (names: readonly string[]): string => `[${names.map(scalar).join(", ")}]`;
  const parts = [
    `for: ${duration}`,
    `reason: ${scalar(reason)}`,
    ...(stages === undefined ? [] : [`stages: ${list(stages)}`]),
    ...(match === undefined
      ? []
      : [
          `match: { ${Object.entries(match)
            .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
            .join(", ")} }`,
        ]),
    ...(clusters === undefined ? [] : [`clusters: ${list(clusters)}`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

function saidOf(
  fleet: Fleet,
  name: string,
  path: string,
  start: string,
  clusters: readonly Cluster[],
  { for: duration }: ThroughGit,
): string {
  const stages = new Set(
    clusters.flatMap(({ follows, stage }) => (follows === fleet.repository.branch ? [] : (stage ?? follows))),
  );
  const promote = [...stages].map((stage) => `, then arcflux promote ${stage}`).join("");
  return (
    `${path}: window ${name} opens ${start} for ${duration} on ${plural(clusters.length, "cluster")} (${showSome(clusters.map((one) => one.name))}).\n` +
    `Run pulumi up, or arcflux commit, at least one interval before${promote}. A cluster that is off then does not open later; the next update after takes the opening out.\n`
  );
}

/** Through Git a window stays shut by a freeze, which is by days. */
export function closedByFreeze(
  name: string,
  { reason, stages, match, clusters }: Omit<ThroughGit, "for" | "file">,
): UsageError {
  const today = new Date().toISOString().slice(0, 10);
  const where = [
    ...(stages === undefined ? [] : [`stages: [${stages.join(", ")}]`]),
    ...(match === undefined
      ? []
      : [
          `match: { ${Object.entries(match)
            .map(([key, value]) => `${key}: ${value}`)
            .join(", ")} }`,
        ]),
    ...(clusters === undefined ? [] : ["match: {…}"]),
  ];
  return new UsageError(
    `Through Git windows are kept shut by a freeze, by days. Write freezes: { hold-${name}: { from: ${today}, until: ${today}, ` +
      `${[...where, `reason: ${scalar(reason)}`].join(", ")} } } and run pulumi up; or shut one cluster at once with --context.`,
  );
}
