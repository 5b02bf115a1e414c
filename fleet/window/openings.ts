import type { Span, Window } from "../model.ts";
import { isOneOf, nextDays } from "./days.ts";
import { dayBefore, wallTime } from "./zone.ts";

/** One time at which a window is open; instants in milliseconds since 1970. */
export interface Opening {
  readonly opens: number;
  readonly closes: number;
}

/** What the clock says of a window. */
export interface WindowNow {
  readonly open: boolean;
  /** When it opened, while it is open; else when it closed last. Undefined past a year. */
  readonly since: number | undefined;
  /** When it closes, while it is open; else when it opens next. Undefined past a year. */
  readonly until: number | undefined;
}

type Times = Pick<Window, "spans">;

/** Offsets of zones are multiples of a quarter of an hour, so that ten minutes on the wall are five apart at most. */
const step = 5 * 60_000;
const horizon = 400 * 24 * 60 * 60_000;

/** Whether a window is open at an instant: whether clocks of its zone show a time of one of its spans. */
export function isOpen({ spans }: Times, instant: number): boolean {
  return spans.some((span) => isInSpan(span, instant));
}

function isInSpan({ opens, lasts, days, timeZone }: Span, instant: number): boolean {
  const wall = wallTime(instant, timeZone);
  const end = opens + lasts;
  if (wall.minute >= opens && wall.minute < end && isOneOf(days, wall)) return true;
  // The part after midnight is meant by the day that it began on.
  const late = end - 24 * 60;
  return wall.minute < late && nextDays(days) !== undefined && isOneOf(days, dayBefore(wall));
}

/** The opening that holds at an instant, if one does, and those after it: `count` at most, of the coming year. */
export function openingsFrom(window: Times, instant: number, count: number): Opening[] {
  const openings: Opening[] = [];
  let from = isOpen(window, instant) ? edge(window, instant, -1) : undefined;
  for (let at = floor(instant); openings.length < count && at < instant + horizon; at += step) {
    const open = isOpen(window, at);
    if (open && from === undefined) from = at;
    if (!open && from !== undefined) {
      openings.push({ opens: from, closes: at });
      from = undefined;
    }
  }
  return openings;
}

/** Whether a window is open at an instant, since when and until when. */
export function windowAt(window: Times, instant: number): WindowNow {
  const open = isOpen(window, instant);
  return { open, since: edge(window, instant, -1), until: edge(window, instant, 1) };
}

/** The nearest instant before or after at which the window opens or closes. */
function edge(window: Times, instant: number, direction: 1 | -1): number | undefined {
  const now = isOpen(window, instant);
  const start = floor(instant);
  for (let at = start; Math.abs(at - start) < horizon; at += direction * step) {
    if (isOpen(window, at) !== now) return direction === 1 ? at : at + step;
  }
  return undefined;
}

function floor(instant: number): number {
  return Math.floor(instant / step) * step;
}

/** How many openings are over since the last fetch, none of which fetched anything; past a year they are not counted. */
export function missedOpenings(window: Times, lastFetch: number, now: number): number {
  let missed = 0;
  let at = lastFetch;
  if (now - lastFetch > horizon) at = now - horizon;
  for (;;) {
    const found = openingsFrom(window, at, 1)[0];
    if (found === undefined || found.closes > now) return missed;
    if (found.opens > lastFetch) missed += 1;
    at = found.closes;
  }
}
