import type { Span } from "../model.ts";
import { isOneOf, type CalendarDay } from "./days.ts";

/** What a clock on the wall shows. */
export interface WallTime extends CalendarDay {
  readonly year: number;
  /** Of the day. */
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const minuteLength = 60_000;
const dayLength = 24 * 60 * minuteLength;

/** Minutes that a zone is ahead of UTC at an instant, in milliseconds since 1970. */
export function offsetAt(instant: number, zone: string): number {
  const day = Math.floor(instant / dayLength);
  // Clocks change at most once a day, and on two days a year: elsewhere one look a day will do.
  const [before, after] = [offsetOnDay(day, zone), offsetOnDay(day + 1, zone)];
  return before === after ? before : measuredOffset(instant, zone);
}

const offsets = new Map<string, number>();

function offsetOnDay(day: number, zone: string): number {
  const key = `${zone} ${day}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size > 20_000) offsets.clear();
    offsets.set(key, (offset = measuredOffset(day * dayLength, zone)));
  }
  return offset;
}

function measuredOffset(instant: number, zone: string): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric" },
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const shown = Date.UTC(part["year"]!, part["month"]! - 1, part["day"], part["hour"], part["minute"]);
  return Math.round((shown - Math.floor(instant / minuteLength) * minuteLength) / minuteLength);
}

/** What the clocks of a zone show at an instant, in milliseconds since 1970. */
export function wallTime(instant: number, zone: string): WallTime {
  const shown = new Date(instant + offsetAt(instant, zone) * minuteLength);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    minute: shown.getUTCHours() * 60 + shown.getUTCMinutes(),
  };
}

/** The calendar day before. */
export function dayBefore({ year, month, day }: WallTime): CalendarDay {
  const before = new Date(Date.UTC(year, month - 1, day) - dayLength);
  return { month: before.getUTCMonth() + 1, day: before.getUTCDate(), weekday: before.getUTCDay() };
}

/**
 * Dates on which a span does not exist, since clocks jump over all of it: `["2027-03-28"]` for 02:00-03:00 in Berlin. Looks
 * two years ahead of `from`.
 */
export function skippedSpans({ opens, lasts, days, timeZone }: Span, from = Date.now()): string[] {
  if (lasts > 120) return [];
  const skipped: string[] = [];
  const first = Math.floor(from / dayLength);
  for (let day = first; day < first + 730 && skipped.length === 0; day += 1) {
    const [before, after] = [offsetOnDay(day - 1, timeZone), offsetOnDay(day + 2, timeZone)];
    if (after <= before) continue;
    const date = new Date(day * dayLength);
    const calendar = {
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
    };
    if (!isOneOf(days, calendar)) continue;
    const exists = Array.from(
      { length: lasts },
      (_, minute) => day * dayLength + (opens + minute) * minuteLength,
    );
    const found = exists.some((shown) =>
      [before, after].some((offset) => {
        const instant = shown - offset * minuteLength;
        return offsetAt(instant, timeZone) === offset;
      }),
    );
    if (!found) skipped.push(date.toISOString().slice(0, 10));
  }
  return skipped;
}
