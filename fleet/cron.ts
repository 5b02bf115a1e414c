import { quoted } from "../values/show.ts";

const fields = [
  { name: "minute", least: 0, most: 59, words: [] },
  { name: "hour", least: 0, most: 23, words: [] },
  { name: "day", least: 1, most: 31, words: [] },
  { name: "month", least: 1, most: 12, words: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  { name: "day of the week", least: 0, most: 6, words: "sun mon tue wed thu fri sat".split(" ") },
] as const;

type Field = (typeof fields)[number];

/** What a sound field of a schedule stands for: `1-3` is 1, 2 and 3. */
export function cronValues(text: string, name: Field["name"]): number[] {
  return valuesOf(
    text,
    fields.find((field) => field.name === name)!,
  );
}

/** Whether a field names every value, in which case cron looks at the other of day and weekday alone. */
export function isEvery(text: string): boolean {
  return text.split(",").some((range) => /^[*?](\/0*1)?$/.test(range));
}

/** A list of all minutes, each written out, has 170 characters. */
const longestSchedule = 1000;

/** Says why a CronJob of Kubernetes would not take a schedule, or undefined. */
export function cronFault(text: string): string | undefined {
  if (text.length > longestSchedule)
    return `has more than ${longestSchedule} characters; write ranges and steps, such as 1-5 or */10`;
  const parts = text.split(" ");
  if (text !== text.trim() || parts.length !== 5 || parts.includes("")) {
    return 'is not a schedule; write five fields, each after one space: minute, hour, day, month, day of the week, such as "0 1 * * *"';
  }
  for (const [index, field] of fields.entries()) {
    const fault = parts[index]!.split(",")
      .map((range) => rangeFault(range, field))
      .find(Boolean);
    if (fault) return `has the ${field.name} ${quoted(parts[index] ?? "")}, which ${fault}`;
  }
  return neverComes(parts);
}

/** Days that the months have at most. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A day that none of the months has. Where the day of the week is stated as well, either of the two will do, and every
 * week has that one.
 */
function neverComes([, , day = "*", month = "*", weekday = "*"]: readonly string[]): string | undefined {
  if (!isEvery(weekday)) return undefined;
  const first = Math.min(...valuesOf(day, fields[2]));
  const comes = valuesOf(month, fields[3]).some((each) => first <= longest[each - 1]!);
  return comes
    ? undefined
    : `never comes: no month of ${quoted(month)} has a day of ${quoted(day)}; correct the day or the month`;
}

/** What a sound field stands for. */
function valuesOf(text: string, field: Field): number[] {
  return text.split(",").flatMap((range) => {
    const [, first, last, step = "1"] = form.exec(range) ?? [];
    const from = first === undefined ? field.least : numberOf(first, field);
    // `5/10` goes on to the end.
    const open = first === undefined || (last === undefined && range.includes("/"));
    const to = open ? field.most : numberOf(last ?? first, field);
    return Array.from(
      { length: Math.floor((to - from) / Number(step)) + 1 },
      (_, index) => from + index * Number(step),
    );
  });
}

const form = /^(?:[*?]|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/(\d{1,4}))?$/i;

function numberOf(word: string, { least, words }: (typeof fields)[number]): number {
  const index = (words as readonly string[]).indexOf(word.toLowerCase());
  return index >= 0 ? index + least : /^\d+$/.test(word) ? Number(word) : NaN;
}

function rangeFault(range: string, field: (typeof fields)[number]): string | undefined {
  const { least, most } = field;
  const match = form.exec(range);
  if (!match) return "is not a number, range, list, * or step";
  const [, first, last, step] = match;
  const [from, to] = [first, last].map((word) => (word === undefined ? undefined : numberOf(word, field)));
  for (const value of [from, to]) {
    if (value !== undefined && !(value >= least && value <= most)) return `is not from ${least} to ${most}`;
  }
  if (from !== undefined && to !== undefined && to < from) return "ends before it begins";
  if (step !== undefined && Number(step) === 0) return "has the step 0";
  return undefined;
}
