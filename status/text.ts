import { ago } from "./ago.ts";
import type { ClusterState, PartState, WindowStatus } from "./model.ts";
import { shortRevision } from "./revision.ts";
import { windowText } from "./windowText.ts";

/** One line a cluster, and below it what is not ready; the columns are as wide as what is in them. */
export function statusText(states: readonly ClusterState[], now: Date): string {
  const head = ["CLUSTER", "STAGE", "STATE", "SHOULD RUN", "RUNS", "SETS", "SINCE", "TOLD BY"];
  const rows = states.map((state) => rowOf(state, now));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  return [line(head), ...states.map((state, index) => line(rows[index] ?? []) + detailsOf(state))].join("");
}

function rowOf(state: ClusterState, now: Date): string[] {
  const { cluster, stage = "", word, idle, wanted, runs, sets, since, source, asOf } = state;
  const ready = sets.filter(({ word }) => word === "ready").length;
  const pins = Object.entries(wanted.pins).map(
    ([name, pin]) =>
      ` ${name}:${Object.values(pin)
        .filter((value) => typeof value === "string")
        .join("/")}`,
  );
  const told = source === "git" ? "nobody" : `${source}${asOf === undefined ? "" : `, ${aged(asOf, now)}`}`;
  return [
    ...[cluster, stage, idle === true ? `${word}, idle` : word],
    `${wanted.branch}${wanted.commit === undefined ? "" : `@${wanted.commit.slice(0, 7)}`}${pins.join("")}`,
    shortRevision(runs.sets ?? runs.bootstrap),
    source === "git" ? `?/${sets.length}` : `${ready}/${sets.length}`,
    ago(since, now),
    told,
  ];
}

function aged(time: string, now: Date): string {
  const text = ago(time, now);
  return text === "now" ? text : `${text} ago`;
}

/** What is not ready: the reason in Flux's words, what that means, what to do. */
function detailsOf({ word, reason, sets, others, notes, windows, source }: ClusterState): string {
  const lines: string[] = [];
  // What is wrong with the cluster as a whole, such as its extension, no part of it says.
  const isOfPart = [...others, ...sets].some(({ name }) => reason?.startsWith(`${name}: `));
  const isWhole = word === "failing" && !isOfPart;
  if (source === "git" || word === "offline" || isWhole) lines.push(`  ${word}: ${reason}`);
  if (source !== "git") lines.push(...[...others, ...sets].flatMap(partLines));
  lines.push(
    ...windows.filter((window) => isOfInterest(window, sets)).map((window) => `  ${windowText(window)}`),
  );
  for (const { text, next } of notes)
    lines.push(`  note: ${text}`, ...(next === undefined ? [] : [`    ${next}`]));
  return lines.map((line) => `${line}\n`).join("");
}

/** A window that is shut, with nothing waiting for it and none missed, needs no line on each of many clusters. */
function isOfInterest(
  { name, open, missed = 0, frozenUntil }: WindowStatus,
  sets: ClusterState["sets"],
): boolean {
  const waits = sets.some(({ window, word }) => window === name && word === "waiting for a window");
  return open || missed > 0 || frozenUntil !== undefined || waits;
}

function partLines({ name, word, reason, meaning, next }: PartState): string[] {
  if (word === "ready") return [];
  return [
    `  ${name}: ${word}${reason === undefined ? "" : `, ${reason}`}`,
    ...[meaning, next].flatMap((text) => (text === undefined ? [] : [`    ${text}`])),
  ];
}
