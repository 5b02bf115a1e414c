import type { Moment, Ran, RecordedRun, StageEvent, StageHistory, Track } from "../history/index.ts";
import { printable, showNames } from "../values/show.ts";
import { clockText } from "./times.ts";

/** Changes that one event shows in text; all of them are in --json and --csv. */
const mostChanges = 8;

/** What came to stages: a line for each commit, and what it changed below it. */
export function historyText(histories: readonly StageHistory[]): string {
  return histories
    .map(({ track, events, more }) => {
      const lines = events.flatMap((event) => [
        `  ${clockText(event.time)}  ${short(event.commit)}  ${told(event)}`,
        ...changeLines(event.changed),
      ]);
      const end = more ? ["  … older ones: --since 90d, or --json"] : [];
      return `${heading(track)}\n${[...(lines.length > 0 ? lines : ["  nothing"]), ...end].join("\n")}\n`;
    })
    .join("\n");
}

function changeLines(changed: StageHistory["events"][number]["changed"]): string[] {
  const lines = changed
    .slice(0, mostChanges)
    .map(({ text, clusters, unread }) => `      ${printable(text)}${inClusters(clusters, unread)}`);
  return changed.length > mostChanges ? [...lines, `      and ${changed.length - mostChanges} more`] : lines;
}

function inClusters(clusters: readonly string[], unread = 0): string {
  if (clusters.length === 0) return "";
  if (unread > 0) return ` (${clusters.length + unread} clusters, of which ${clusters.length} were read)`;
  return clusters.length <= 3 ? ` (${clusters.join(", ")})` : ` (${clusters.length} clusters)`;
}

function heading({ name, branch }: Track): string {
  return name === branch ? name : `${name} (branch ${branch})`;
}

/** `promotion of 4f2c1ab0 from test by Ada, #12: Promote test to prod`. */
function told(event: StageEvent): string {
  const { kind, byTree, forwarded, from, after, only, person, pullRequest, subject } = event;
  const notes = (["reason", "emergency", "unverified"] as const).flatMap((key) =>
    event[key] === undefined ? [] : [`${key}: ${event[key]}`],
  );
  const parts = [
    `${kind}${forwarded === true ? " (fast-forward, then or later)" : byTree === true ? " (by its tree)" : ""}`,
    ...(from === undefined ? [] : [`${kind === "rollback" ? "to" : "of"} ${short(from)}`]),
    ...(after === undefined ? [] : [`from ${after}`]),
    ...(only === undefined ? [] : [`of ${only} alone`]),
    `by ${person || "nobody named"}`,
  ];
  const request = pullRequest === undefined ? "" : `, ${pullRequest}`;
  return printable(
    `${parts.join(" ")}${request}: ${subject}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`,
  );
}

function short(commit: string): string {
  return commit.slice(0, 8);
}

/** What was wanted at a time, in one line. */
export function wantedText({ name, branch }: Track, moment: Moment): string {
  const { wanted, readFrom, versions = [], open = [], unseen = [] } = moment;
  if (wanted === undefined) return `nothing: ${branch} had no commit yet`;
  if (wanted === "unknown")
    return `not known: ${branch} was read back to ${clockText(readFrom ?? "")} only; a clone has all of it: git rev-list -1 --first-parent --before=TIME origin/${branch}`;
  const said = [
    ...(versions.length > 0 ? [showNames(versions, 12)] : []),
    ...(open.length > 0 ? [`not certain: ${showNames(open, 6)}`] : []),
    ...(unseen.length > 0 ? [`not looked at: ${showNames(unseen, 6)}`] : []),
  ];
  return printable(
    `${wanted.commit} (${name}, ${clockText(wanted.time)}, ${told(wanted)})${said.length > 0 ? `; ${said.join("; ")}` : ""}`,
  );
}

/** What ran, and from when to when that is not known: two lines. */
export function ranText({ last, next }: Ran, at: Date): { readonly ran: string; readonly gap: string } {
  const ran =
    last === undefined
      ? "not known: nothing was recorded by then"
      : printable(
          `${runText(last)} (recorded ${clockText(last.time)} from ${last.source}, ${before(last, at)})`,
        );
  return { ran, gap: printable(gapText(last, next)) };
}

function runText({ fluxFolder, sets, state, notReady }: RecordedRun): string {
  const commits =
    fluxFolder === undefined && sets === undefined
      ? "nothing that it told of"
      : sets === fluxFolder
        ? fluxFolder!
        : `flux folder ${fluxFolder ?? "unknown"}, sets ${sets ?? "at several commits"}`;
  return `${commits}, ${state}${notReady.length > 0 ? `: ${showNames(notReady, 5)}` : ""}`;
}

function before({ time }: RecordedRun, at: Date): string {
  const minutes = Math.max(0, Math.round((at.getTime() - Date.parse(time)) / 60_000));
  if (minutes < 120) return `${minutes} minutes before`;
  return minutes < 2880
    ? `${Math.round(minutes / 60)} hours before`
    : `${Math.round(minutes / 1440)} days before`;
}

function gapText(last: RecordedRun | undefined, next: RecordedRun | undefined): string {
  if (last === undefined && next === undefined) return "at any time: the record does not have this cluster";
  if (last === undefined) return `before ${clockText(next!.time)}, when it was first recorded`;
  if (next === undefined) return `after ${clockText(last.time)}: nothing else was recorded since`;
  const same = last.fluxFolder === next.fluxFolder && last.sets === next.sets;
  return same
    ? `nothing: it ran the same when it was recorded next, ${clockText(next.time)}`
    : `from ${clockText(last.time)} to ${clockText(next.time)}, when it was recorded next: ${runText(next)}`;
}

const columns = [
  "stage",
  "time",
  "commit",
  "kind",
  "person",
  "pullRequest",
  "from",
  "after",
  "reason",
  "subject",
  "changed",
] as const;

/** One line for each commit, for a spreadsheet. */
export function historyCsv(histories: readonly StageHistory[]): string {
  const rows = histories.flatMap(({ track, events }) =>
    events.map((event) => {
      const changed = event.changed
        .map(({ text, clusters, unread = 0 }) =>
          clusters.length > 0 ? `${text} (${clusters.length + unread})` : text,
        )
        .join("; ");
      const row: Readonly<Record<string, string | undefined>> = {
        ...Object.fromEntries(Object.entries(event).filter(([, value]) => typeof value === "string")),
        stage: track.name,
        reason: event.reason ?? event.emergency,
        changed,
      };
      return columns.map((column) => cell(row[column] ?? "")).join(",");
    }),
  );
  return [columns.join(","), ...rows].map((row) => `${row}\n`).join("");
}

/** A spreadsheet takes what begins like a formula for one. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
