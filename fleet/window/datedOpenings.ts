import { matchable, matches, type View } from "../layers.ts";
import type { Span } from "../model.ts";
import type { DatedOpening, WindowEntry } from "../schema/window.ts";
import { spansOf, type SpanFault } from "./spans.ts";

/** Instants at which an opening by hand begins and ends, in milliseconds since 1970. */
export interface DatedTime {
  readonly opens: number;
  readonly closes: number;
}

/** A dated opening as a span. Cron knows no years, so it would come again in a year: an update after it takes it out. */
export function datedSpans(start: string, { for: duration }: DatedOpening): Span[] | SpanFault {
  const [, month = "1", day = "1", hour = "0", minute = "0"] =
    /^\d{4}-(\d\d)-(\d\d)T(\d\d):(\d\d)Z$/.exec(start) ?? [];
  const open = [minute, hour, day, month].map(Number).join(" ");
  return spansOf({ open: `${open} *`, duration }, "Etc/UTC");
}

/** Whether an opening is for a cluster; `names` are those that it says, else all that have its stages and labels. */
export function concerns({ stages, match, clusters }: DatedOpening, { name, entry }: View): boolean {
  return (
    (clusters === undefined || clusters.includes(name)) &&
    (stages === undefined || (entry.stage !== undefined && stages.includes(entry.stage))) &&
    matches(matchable(entry), Object.entries(match ?? {}))
  );
}

/** The day on which an opening ends; `YYYY-MM-DD`, in UTC. */
export function lastDay(start: string, spans: readonly Span[]): string {
  const lasts = Math.max(0, ...spans.map((span) => span.lasts));
  return new Date(Date.parse(start) + lasts * 60_000 - 1).toISOString().slice(0, 10);
}

/** The spans of the openings of a window that are for a cluster and not over; `today` is a calendar date. */
export function spansByHand({ openings = {} }: WindowEntry, view: View, today: string | undefined): Span[] {
  return Object.entries(openings).flatMap(([start, opening]) => {
    const spans = datedSpans(start, opening);
    if (!Array.isArray(spans) || !concerns(opening, view)) return [];
    return today !== undefined && lastDay(start, spans) < today ? [] : spans;
  });
}
