import { cronValues, isEvery } from "../cron.ts";
import type { Schedule, Span } from "../model.ts";
import { listed, type Days } from "./days.ts";
import { parts, period } from "./spans.ts";

/** CronJobs of a window, the one that shuts it among them. */
export const mostCronJobs = 6;

/** One rule of cron on its way to a schedule: all combinations of its minutes and hours, on its days. */
interface Rule {
  readonly minutes: string;
  readonly hours: string;
  readonly days: Days;
  readonly timeZone: string;
}

/**
 * The schedules that fetch every ten minutes while a window is open, the last time `settle` minutes before it closes:
 * 01:00-04:00 with 5 minutes is every ten minutes from 1:00 to 3:50. As few schedules as say exactly that.
 */
export function pulsesOf(spans: readonly Span[], settle: number): Schedule[] {
  const byDays = new Map<string, { days: Days; timeZone: string; times: Set<number> }>();
  for (const span of spans) {
    const last = span.opens + span.lasts - Math.max(settle, 1);
    for (const { from, to, days } of parts(span)) {
      const key = JSON.stringify([days, span.timeZone]);
      const known = byDays.get(key) ?? { days, timeZone: span.timeZone, times: new Set<number>() };
      byDays.set(key, known);
      // The part after midnight counts from the next day.
      const end = from === 0 && span.opens !== 0 ? last - 24 * 60 : last;
      for (let time = from; time < to && time <= end; time += period) known.times.add(time);
    }
  }
  const rules = [...byDays.values()].flatMap(({ days, timeZone, times }) =>
    rulesOf(times).map((rule) => ({ ...rule, days, timeZone })),
  );
  return joined(rules)
    .map(({ minutes, hours, days, timeZone }) => ({
      schedule: [minutes, hours, days.day, days.month, days.weekday].join(" "),
      timeZone,
    }))
    .sort((a, b) => compare(`${a.timeZone} ${a.schedule}`, `${b.timeZone} ${b.schedule}`));
}

/** Hours that have the same minutes become one rule. */
function rulesOf(times: ReadonlySet<number>): Pick<Rule, "minutes" | "hours">[] {
  const byHour = new Map<number, number[]>();
  for (const time of [...times].sort((a, b) => a - b)) {
    const hour = Math.floor(time / 60);
    byHour.set(hour, [...(byHour.get(hour) ?? []), time % 60]);
  }
  const hours = Map.groupBy(byHour, ([, minutes]) => minuteField(minutes));
  return [...hours].map(([minutes, all]) => ({
    minutes,
    hours: all.length === 24 ? "*" : listed(all.map(([hour]) => hour)),
  }));
}

// Minutes of one hour: `*/10` for all six, `30-50/10`, `0,30` or `20`.
function minuteField(minutes: readonly number[]): string {
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  if (minutes.length === 60 / period) return `*/${period}`;
  const even = minutes.every((minute, index) => minute === first + index * period);
  return even && minutes.length > 2 ? `${first}-${last}/${period}` : minutes.join(",");
}

/** Rules that differ in nothing but their days of the week become one. */
function joined(rules: readonly Rule[]): Rule[] {
  const alike = Map.groupBy(rules, (rule) => {
    const { days, ...rest } = rule;
    const byWeekday = isEvery(days.day) && !isEvery(days.weekday);
    return JSON.stringify([rest, days.month, byWeekday ? "weekday" : [days.day, days.weekday]]);
  });
  return [...alike.values()].map((group) => {
    const [first, ...others] = group;
    if (others.length === 0) return first!;
    const weekdays = group.flatMap(({ days }) => cronValues(days.weekday, "day of the week"));
    return { ...first!, days: { ...first!.days, weekday: listed(weekdays) } };
  });
}

/**
 * Spans that need few enough schedules: these with their beginnings and ends on full hours; undefined where that does not
 * help either.
 */
export function fewerPulses(spans: readonly Span[], settle: number): Span[] | undefined {
  const full = spans.map((span) => {
    const opens = span.opens - (span.opens % 60);
    const lasts = Math.ceil((span.opens + span.lasts - opens) / 60) * 60;
    return { ...span, opens, lasts: Math.min(lasts, 24 * 60) };
  });
  return pulsesOf(full, settle).length < mostCronJobs ? full : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
