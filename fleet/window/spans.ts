import { cronValues, isEvery } from "../cron.ts";
import { durationSeconds } from "../../values/duration.ts";
import type { Span } from "../model.ts";
import { nextDays, sameDays, type Days } from "./days.ts";

/** Minutes between two fetches of an open window; spans begin and end on multiples of it. */
export const period = 10;

/** One span as the fleet file states it; `open` and `close` are sound schedules. */
export interface SpanEntry {
  readonly open?: string | undefined;
  readonly close?: string | undefined;
  readonly duration?: string | undefined;
}

/** What is wrong with a span, and at which of its fields. */
export interface SpanFault {
  readonly field: keyof SpanEntry;
  readonly message: string;
}

const aDay = 24 * 60;

/** The spans of an entry, one for each time of the day that `open` names; or what is wrong with it. */
export function spansOf(entry: SpanEntry, timeZone: string): Span[] | SpanFault {
  const { open, close, duration } = entry;
  if (open === undefined)
    return { field: "open", message: 'is missing; write when it opens, such as "0 1 * * *"' };
  if ((close === undefined) === (duration === undefined)) {
    const message = close === undefined ? "needs close or duration" : "stands beside close";
    return { field: close === undefined ? "open" : "duration", message: `${message}; write one of the two` };
  }
  const { times, days } = scheduleOf(open);
  const odd = times.find((time) => time % period !== 0);
  if (odd !== undefined) return { field: "open", message: notOnGrid("opens", odd) };
  if (times.length > 24)
    return { field: "open", message: "opens more than 24 times a day; write fewer times" };
  if (duration !== undefined) {
    const lasts = lengthOf(duration);
    if (typeof lasts === "string") return { field: "duration", message: lasts };
    return spread(times.map((opens) => ({ opens, lasts, days, timeZone })));
  }
  return closedBy(close ?? "", times, days, timeZone);
}

/** Refuses what goes over midnight where cron cannot name the days after. */
function spread(spans: Span[]): Span[] | SpanFault {
  const crossing = spans.find(({ opens, lasts, days }) => opens + lasts > aDay && !nextDays(days));
  if (crossing === undefined) return spans;
  const { day, month } = crossing.days;
  return {
    field: "open",
    message: `goes over midnight, and no schedule names the days after "${day} ${month}"; end it at midnight, or write days of the month up to 27 or days of the week`,
  };
}

/** Minutes of a duration; a text is what is wrong with it. */
function lengthOf(duration: string): number | string {
  const minutes = durationSeconds(duration) / 60;
  if (minutes === 0) return "never opens; write how long it stays open, such as 3h";
  if (minutes % period !== 0) return `is not a multiple of ${period} minutes; write 10m, 90m or 3h`;
  return minutes > aDay ? "is longer than a day; write one span for each day" : minutes;
}

function closedBy(close: string, times: readonly number[], days: Days, timeZone: string): Span[] | SpanFault {
  const [opens = 0, ...moreOpen] = times;
  const { times: closing, days: closeDays } = scheduleOf(close);
  const [closes = 0, ...moreClose] = closing;
  if (moreOpen.length > 0 || moreClose.length > 0) {
    const message = "names several times of the day; write one, or duration in the place of close";
    return moreOpen.length > 0 ? { field: "open", message } : { field: "close", message };
  }
  if (closes % period !== 0) return { field: "close", message: notOnGrid("closes", closes) };
  const sameDay = closes > opens;
  if (closes === opens)
    return {
      field: "close",
      message:
        "closes when it opens, so it would never be open; write another time, or duration: 24h for all day",
    };
  const wanted = sameDay ? days : nextDays(days);
  const span = { opens, lasts: sameDay ? closes - opens : closes + aDay - opens, days, timeZone };
  const everyDay = isEvery(closeDays.day) && isEvery(closeDays.month) && isEvery(closeDays.weekday);
  if (wanted !== undefined && !everyDay && !sameDays(wanted, closeDays)) {
    const { day, month, weekday } = wanted;
    return {
      field: "close",
      message: `closes on other days than it opens: a span lasts a day at most, so write "${closes % 60} ${Math.floor(closes / 60)} ${day} ${month} ${weekday}", or one span for each day`,
    };
  }
  return spread([span]);
}

function notOnGrid(what: string, time: number): string {
  const [before, after] = [time - (time % period), time - (time % period) + period];
  return `${what} at ${clock(time)}; spans begin and end on multiples of ten minutes: write ${clock(before)} or ${clock(after)}`;
}

/** A minute of the day as `01:30`. */
export function clock(minute: number): string {
  const time = minute % aDay;
  return `${String(Math.floor(time / 60)).padStart(2, "0")}:${String(time % 60).padStart(2, "0")}`;
}

function scheduleOf(cron: string): { times: number[]; days: Days } {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const times = cronValues(hour, "hour").flatMap((each) =>
    cronValues(minute, "minute").map((one) => each * 60 + one),
  );
  const field = (text: string) => (isEvery(text) ? "*" : text);
  return {
    times: [...new Set(times)].sort((a, b) => a - b),
    days: { day: field(day), month: field(month), weekday: field(weekday) },
  };
}

/** Whether two spans are open at the same time on some day; spans of two time zones are not compared. */
export function overlap(one: Span, other: Span): boolean {
  if (one.timeZone !== other.timeZone) return false;
  const [a, b] = [parts(one), parts(other)];
  return a.some((first) =>
    b.some(
      (second) => first.from < second.to && second.from < first.to && sharesDay(first.days, second.days),
    ),
  );
}

/** What a span is on each day of the calendar: one part, or two where it goes over midnight. */
export function parts({ opens, lasts, days }: Span): { from: number; to: number; days: Days }[] {
  const end = opens + lasts;
  const after = end > aDay ? nextDays(days) : undefined;
  return [
    { from: opens, to: Math.min(end, aDay), days },
    ...(after ? [{ from: 0, to: end - aDay, days: after }] : []),
  ];
}

/** Whether some day is meant by both; days of the month beside days of the week may meet. */
function sharesDay(one: Days, other: Days): boolean {
  const meets = (field: keyof Days, name: Parameters<typeof cronValues>[1]) => {
    const values = cronValues(other[field], name);
    return cronValues(one[field], name).some((value) => values.includes(value));
  };
  return meets("month", "month") && meets("day", "day") && meets("weekday", "day of the week");
}

/** A span in words: `01:00-04:00 (* * 1-5, Europe/Berlin)`. */
export function spanText({ opens, lasts, days, timeZone }: Span): string {
  const when = [days.day, days.month, days.weekday].join(" ");
  return `${clock(opens)}-${clock(opens + lasts)}${when === "* * *" ? "" : ` on ${when}`} ${timeZone}`;
}
