import type { Freeze, Window } from "../model.ts";
import type { FreezeEntry } from "../schema/window.ts";
import { openingsFrom, type Opening } from "./openings.ts";

/** The next day on which a freeze begins or has ended, and an update has to be run. */
export interface FreezeDue {
  readonly date: string;
  readonly freeze: string;
  readonly what: "begins" | "is over";
}

/** `today` and the answer are calendar dates; undefined where no freeze is ahead. */
export function nextFreezeUpdate(
  freezes: Readonly<Record<string, FreezeEntry>>,
  today: string,
): FreezeDue | undefined {
  const all = Object.entries(freezes).flatMap(([freeze, { from, until }]): FreezeDue[] => [
    { date: from, freeze, what: "begins" },
    { date: dayAfter(until), freeze, what: "is over" },
  ]);
  return all.filter(({ date }) => date > today).sort((a, b) => (a.date < b.date ? -1 : 1))[0];
}

/** The openings of a window from an instant on, `count` at most, without those that begin in the freeze that holds. */
export function openingsUnder(
  freeze: Pick<Freeze, "until"> | undefined,
  window: Pick<Window, "spans">,
  instant: number,
  count: number,
): Opening[] {
  if (freeze === undefined) return openingsFrom(window, instant, count);
  // Freezes end with an update on the day after, and days are those of UTC.
  const end = Math.max(instant, Date.parse(dayAfter(freeze.until)));
  return openingsFrom(window, end, count + 1)
    .filter(({ opens }) => opens >= end)
    .slice(0, count);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * 60 * 60_000).toISOString().slice(0, 10);
}
