import type { FreezeEntry } from "../schema/window.ts";

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

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 24 * 60 * 60_000).toISOString().slice(0, 10);
}
