import { cronValues, isEvery } from "../cron.ts";

/** Days as the last three fields of a schedule: `{ day: "*", month: "*", weekday: "1-5" }`. */
export interface Days {
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
}

/** A day of the calendar. Months from 1, Sunday is 0. */
export interface CalendarDay {
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/** Whether a day is one of those meant. With day and weekday both stated, either will do, as everywhere in cron. */
export function isOneOf(days: Days, { day, month, weekday }: CalendarDay): boolean {
  if (!cronValues(days.month, "month").includes(month)) return false;
  const byDay = cronValues(days.day, "day").includes(day);
  const byWeekday = cronValues(days.weekday, "day of the week").includes(weekday);
  return isEvery(days.day) || isEvery(days.weekday) ? byDay && byWeekday : byDay || byWeekday;
}

/** The day after each; undefined where cron cannot say that, as with the last days of a month. */
export function nextDays(days: Days): Days | undefined {
  const { day, month, weekday } = days;
  const numbers = cronValues(day, "day");
  if (!isEvery(month) && isEvery(day)) return undefined;
  if (!isEvery(day) && numbers.some((number) => number > 27)) return undefined;
  return {
    day: isEvery(day) ? "*" : listed(numbers.map((number) => number + 1)),
    month,
    weekday: isEvery(weekday)
      ? "*"
      : listed(cronValues(weekday, "day of the week").map((number) => (number + 1) % 7)),
  };
}

/** Whether two say the same days, however they are written. */
export function sameDays(one: Days, other: Days): boolean {
  return canonical(one) === canonical(other);
}

function canonical({ day, month, weekday }: Days): string {
  const part = (text: string, field: Parameters<typeof cronValues>[1]) =>
    isEvery(text) ? "*" : listed(cronValues(text, field));
  return [part(day, "day"), part(month, "month"), part(weekday, "day of the week")].join(" ");
}

/** Numbers as cron lists them: `[1, 2, 3, 5]` is `1-3,5`. */
export function listed(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}
