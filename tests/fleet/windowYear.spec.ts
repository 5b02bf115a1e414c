import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spansOf } from "../../fleet/window/spans.ts";
import { pulsesOf } from "../../fleet/window/pulses.ts";
import { isOpen, missedOpenings, openingsFrom } from "../../fleet/window/openings.ts";
import type { Span } from "../../fleet/model.ts";

/* A year of minutes, with clocks that change. What a CronJob does is worked out here anew, from its schedule alone. */

const whole = process.env["ARCFLUX_WHOLE_YEAR"] !== undefined;
const minute = 60_000;
const year = { from: Date.UTC(2026, 8, 1), days: 365 };

/** Zones whose clocks change in spring, in autumn, by half an hour, never, and by odd offsets. */
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/Sao_Paulo",
  "Etc/UTC",
];

interface Wall {
  readonly minute: number;
  readonly weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What was shown before, by zone and minute since 1970: a year is gone through many times. */
const shown = new Map<string, Map<number, number>>();

/** What clocks show, by the platform's own formatter and nothing of ours. */
function wall(instant: number, timeZone: string): Wall {
  const known = shown.get(timeZone) ?? new Map<number, number>();
  shown.set(timeZone, known);
  let packed = known.get(instant / minute);
  if (packed === undefined) known.set(instant / minute, (packed = look(instant, timeZone)));
  return { minute: packed % 1440, weekday: Math.floor(packed / 1440) };
}

/** Minute of the day and weekday in one number. */
function look(instant: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" });
  formats.set(timeZone, format);
  const [, day = "", month = "", y = "", h = "", m = ""] =
    /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/.exec(format.format(instant)) ?? [];
  const weekday = new Date(Date.UTC(Number(y), Number(month) - 1, Number(day))).getUTCDay();
  return weekday * 1440 + Number(h) * 60 + Number(m);
}

/** Whether a field of cron takes a number: lists, ranges, steps and *. */
function takes(field: string, value: number): boolean {
  return field.split(",").some((part) => {
    const [range = "", step = "1"] = part.split("/");
    const [from = "", to = from] = range.split("-");
    const [low, high] = range === "*" ? [0, 59] : [Number(from), Number(to)];
    return value >= low && value <= high && (value - low) % Number(step) === 0;
  });
}

/** What a schedule of cron takes, worked out once: a year has half a million minutes. */
interface Cron {
  readonly minutes: readonly boolean[];
  readonly hours: readonly boolean[];
  readonly weekdays: readonly boolean[];
}

function cronOf({ schedule }: { readonly schedule: string }): Cron {
  const [min = "", hour = "", , , weekday = ""] = schedule.split(" ");
  const all = (field: string, length: number) => Array.from({ length }, (_, value) => takes(field, value));
  return { minutes: all(min, 60), hours: all(hour, 24), weekdays: all(weekday, 7) };
}

function fires({ minutes, hours, weekdays }: Cron, at: Wall): boolean {
  return (
    minutes[at.minute % 60] === true &&
    hours[Math.floor(at.minute / 60)] === true &&
    weekdays[at.weekday] === true
  );
}

/** Minutes of the days that are looked at: all of them, or those around changes of clocks and some more. */
function* minutesOf(timeZone: string, some: readonly number[]): Generator<number> {
  const offset = (day: number) => wall(year.from + day * 1440 * minute, timeZone).minute;
  for (let day = 1; day < year.days; day += 1) {
    const near = [-1, 0, 1, 2].some((by) => offset(day + by) !== offset(day + by - 1));
    if (!whole && !near && !some.includes(day)) continue;
    for (let at = 0; at < 1440; at += 1) yield year.from + (day * 1440 + at) * minute;
  }
}

const spanArbitrary = fc.record({
  opens: fc.integer({ min: 0, max: 143 }).map((ten) => ten * 10),
  lasts: fc.integer({ min: 1, max: 143 }).map((ten) => ten * 10),
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
});

function spansIn(
  timeZone: string,
  declared: readonly { opens: number; lasts: number; weekdays: number[] }[],
) {
  return declared.flatMap(({ opens, lasts, weekdays }): Span[] => {
    const open = `${opens % 60} ${Math.floor(opens / 60)} * * ${weekdays.join(",")}`;
    const spans = spansOf({ open, duration: `${lasts}m` }, timeZone);
    if (!Array.isArray(spans)) throw new Error(spans.message);
    return spans;
  });
}

/** Whether a span is open by what was declared: on its days, or on the day after past midnight. */
function declaredOpen(
  declared: readonly { opens: number; lasts: number; weekdays: number[] }[],
  { minute: now, weekday }: Wall,
): boolean {
  return declared.some(({ opens, lasts, weekdays }) => {
    const today = weekdays.includes(weekday) && now >= opens && now < opens + lasts;
    const late = weekdays.includes((weekday + 6) % 7) && now + 1440 < opens + lasts;
    return today || late;
  });
}

/** Whether a span is open at a minute and so many after it. */
function staysOpen(
  span: Parameters<typeof declaredOpen>[0][number],
  at: number,
  more: number,
  timeZone: string,
) {
  for (let ahead = more; ahead >= 0; ahead -= 1)
    if (!declaredOpen([span], wall(at + ahead * minute, timeZone))) return false;
  return true;
}

describe("a year of minutes", () => {
  it(
    "fetches within ten minutes while open, never while shut, whatever the device was off",
    () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...zones),
          fc.array(spanArbitrary, { minLength: 1, maxLength: 2 }),
          fc.integer({ min: 0, max: 45 }),
          fc.array(fc.tuple(fc.integer({ min: 0, max: 364 * 1440 }), fc.integer({ min: 1, max: 3000 })), {
            maxLength: 40,
          }),
          fc.array(fc.integer({ min: 1, max: 364 }), { minLength: 2, maxLength: 2 }),
          (timeZone, declared, settle, off, some) => {
            const spans = spansIn(timeZone, declared);
            const pulses = pulsesOf(spans, settle).map(cronOf);
            const isOff = (at: number) =>
              off.some(
                ([from, length]) =>
                  at >= year.from + from * minute && at < year.from + (from + length) * minute,
              );
            let [missed, openFor, lastFetch, before] = [Infinity, 0, 0, 0];
            for (const at of minutesOf(timeZone, some)) {
              const now = wall(at, timeZone);
              const open = declaredOpen(declared, now);
              if (isOpen({ spans }, at) !== open)
                throw new Error(`${new Date(at).toISOString()} ${timeZone}`);
              if (at !== before + minute) [missed, openFor] = [Infinity, 0];
              before = at;
              const due = pulses.some((cron) => fires(cron, now));
              missed = due ? 0 : missed + 1;
              if (isOff(at)) {
                openFor = 0;
                continue;
              }
              // A CronJob starts what it missed by four minutes at most.
              if (missed <= 4 && lastFetch < at - missed * minute) {
                lastFetch = at;
                // `expect` would take longer than all the rest, a hundred million times.
                if (!open)
                  throw new Error(`a fetch while shut at ${new Date(at).toISOString()} in ${timeZone}`);
              }
              openFor = open ? openFor + 1 : 0;
              if (openFor <= 10) continue;
              // Each span has a last fetch of its own; where clocks go back before its end, it is before the first of the two.
              const same =
                wall(at + (settle + 9) * minute, timeZone).minute === (now.minute + settle + 9) % 1440;
              const left = same && declared.some((span) => staysOpen(span, at, settle + 9, timeZone));
              if (left && at - lastFetch > 10 * minute)
                throw new Error(`no fetch for ten minutes at ${new Date(at).toISOString()} in ${timeZone}`);
            }
          },
        ),
        {
          numRuns: whole ? 200 : 8,
          examples: [
            // An end within the hour that comes twice.
            ["Europe/Berlin", [{ opens: 450, lasts: 1170, weekdays: [6] }], 11, [], [1, 1]],
            // Spans that meet.
            [
              "Europe/Berlin",
              [
                { opens: 0, lasts: 20, weekdays: [1, 4] },
                { opens: 20, lasts: 20, weekdays: [1, 6] },
              ],
              11,
              [],
              [1, 1],
            ],
          ],
        },
      );
    },
    whole ? 3_600_000 : 60_000,
  );

  // Worked out by hand: 1:00 to 4:00 has 18 fetches; 2:00 to 3:00 is missing on one night and comes twice on another.
  it.each([
    ["2027-03-28", 12],
    ["2026-10-25", 24],
    ["2026-10-26", 18],
  ])("has on %s in Berlin %d fetches from 1:00 to 4:00", (date, count) => {
    const spans = spansOf({ open: "0 1 * * *", close: "0 4 * * *" }, "Europe/Berlin") as Span[];
    const pulses = pulsesOf(spans, 5).map(cronOf);
    const noon = Date.parse(`${date}T12:00:00Z`);
    let fetches = 0;
    for (let at = noon - 1440 * minute; at < noon; at += minute) {
      const now = wall(at, "Europe/Berlin");
      if (pulses.some((cron) => fires(cron, now))) fetches += 1;
    }
    expect(fetches).toBe(count);
  });
});

describe("openings", () => {
  const spans = spansOf({ open: "0 22 * * 6", close: "0 6 * * 0" }, "Europe/Berlin") as Span[];

  it("are told from before, in between and over a change of clocks", () => {
    const [first, second] = openingsFrom({ spans }, Date.parse("2026-10-20T00:00:00Z"), 2);
    // Saturday 22:00 is 20:00 in UTC with summer time; Sunday 6:00, after the change, is 5:00.
    expect([first!.opens, first!.closes].map((at) => new Date(at).toISOString())).toEqual([
      "2026-10-24T20:00:00.000Z",
      "2026-10-25T05:00:00.000Z",
    ]);
    expect(new Date(second!.opens).toISOString()).toBe("2026-10-31T21:00:00.000Z");
    const inside = openingsFrom({ spans }, Date.parse("2026-10-25T02:00:00Z"), 1)[0];
    expect(inside).toEqual(first);
  });

  it("that are over since the last fetch are missed", () => {
    const last = Date.parse("2026-11-01T03:50:00Z");
    expect(missedOpenings({ spans }, last, Date.parse("2026-11-07T22:00:00Z"))).toBe(0);
    expect(missedOpenings({ spans }, last, Date.parse("2026-11-08T12:00:00Z"))).toBe(1);
    expect(missedOpenings({ spans }, last, Date.parse("2026-11-20T12:00:00Z"))).toBe(2);
  });
});
