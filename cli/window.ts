import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { type Cluster, type Window } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { openingsUnder, spanText, wallTime, type Opening } from "../fleet/window/index.ts";
import { showSome } from "../values/show.ts";
import { clusterOption, command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { plural } from "./report.ts";
import type { Terminal } from "./terminal.ts";
import { registerWindowByHand } from "./windowByHand.ts";

export interface WindowNextOptions {
  readonly cluster?: readonly string[];
  readonly count: number;
  readonly json?: boolean;
  readonly file: string;
}

export const registerWindow: Register = (program, terminal, done) => {
  const window = command(program, "window", "Say when maintenance windows open, or open one by hand.", [
    "arcflux window next --cluster store-001 --count 5",
    'arcflux window open nightly --context store-001 --reason "INC-4711"',
  ]);
  registerNext(window, terminal, done);
  registerWindowByHand(window, terminal, done);
};

function registerNext(window: Command, terminal: Terminal, done: (code: ExitCode) => void): void {
  command(window, "next", "Say when each window opens next, and what that costs.", [
    "arcflux window next",
    "arcflux window next --cluster store-001 --count 10",
  ])
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .addOption(clusterOption())
    .option("--count <number>", "how many openings", wholeNumber, 3)
    .option("--json", "print the openings and findings as JSON on standard output")
    .action(async (options: WindowNextOptions) => done(await windowNext(options, terminal)));
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100)
    throw new InvalidArgumentError("It is not a number of openings; write one from 1 to 100.");
  return number;
}

/** Windows that are the same in several clusters. */
interface Alike {
  readonly window: Window;
  readonly clusters: readonly Cluster[];
}

/** `arcflux window next`: when windows open, each once for all clusters that have it alike. */
export function windowNext(
  { file, cluster, count, json }: WindowNextOptions,
  terminal: Terminal,
  now: number = Date.now(),
): Promise<ExitCode> {
  return fleetCommand(file, { json: json ?? false }, terminal, { windows: [] }, ({ fleet }) => {
    const clusters = selectClusters(fleet, cluster ? { names: cluster } : {});
    const rows = alike(clusters).map((one) => ({
      ...one,
      openings: openingsUnder(one.clusters[0]?.freeze, one.window, now, count),
      pods: podsADay(one.window),
    }));
    return {
      document: {
        windows: rows.map((row) => ({
          name: row.window.name,
          clusters: row.clusters.map(({ name }) => name),
          spans: row.window.spans.map(spanText),
          frozen: row.clusters[0]?.freeze,
          podsADay: row.pods,
          openings: row.openings.map(({ opens, closes }) => ({ opens: iso(opens), closes: iso(closes) })),
        })),
      },
      print: () => {
        if (rows.length === 0) terminal.out("No cluster has a window.\n");
        for (const row of rows) terminal.out(textOf(row, now));
      },
    };
  });
}

function alike(clusters: readonly Cluster[]): Alike[] {
  const all = clusters.flatMap((cluster) => cluster.windows.map((window) => ({ window, cluster })));
  const groups = Map.groupBy(all, ({ window, cluster }) =>
    JSON.stringify([window.name, window.spans, window.pulses, cluster.freeze]),
  );
  return [...groups.values()].map((group) => ({
    window: group[0]!.window,
    clusters: group.map(({ cluster }) => cluster),
  }));
}

function textOf(
  {
    window,
    clusters,
    openings,
    pods,
  }: Alike & { readonly openings: readonly Opening[]; readonly pods: number },
  now: number,
): string {
  const freeze = clusters[0]?.freeze;
  const lines = [
    `${window.name}: ${window.spans.map(spanText).join(", ")} (${showSome(new Set(clusters.map(({ name }) => name)))})`,
    ...(freeze ? [`  frozen until ${freeze.until}: ${freeze.name}, ${freeze.reason}`] : []),
    ...openings.map(({ opens, closes }) => {
      const zone = window.spans[0]?.timeZone ?? "Etc/UTC";
      return `  ${shown(opens, zone)} to ${shown(closes, zone)}${opens <= now ? ", open now" : ""}`;
    }),
    ...(openings.length === 0 ? ["  does not open within a year"] : []),
    `  last fetch ${window.settle} minutes before it closes; at most ${plural(pods, "pod")} a day, of two or three short API writes`,
  ];
  return `${lines.join("\n")}\n`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function shown(instant: number, zone: string): string {
  const { year, month, day, weekday, minute } = wallTime(instant, zone);
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  return `${weekdays[weekday]} ${year}-${two(month)}-${two(day)} ${time}`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** Of a day on which each span opens once: a pod for each fetch, and one an hour that shuts. */
function podsADay({ spans, settle }: Window): number {
  const fetches = spans.map(({ lasts }) => Math.floor((lasts - Math.max(settle, 1)) / 10) + 1);
  return (
    24 +
    Math.min(
      144,
      fetches.reduce((sum, each) => sum + Math.max(each, 0), 0),
    )
  );
}
