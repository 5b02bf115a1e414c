import { z } from "zod";
import { durationPattern, durationSeconds } from "../values/duration.ts";
import { pathFault } from "../values/repositoryPath.ts";
import { rules, type Rule } from "./rules.ts";
import { isWindowsDevice } from "./windowsName.ts";
import { show } from "../values/show.ts";

/* Kinds of values that the schema is made of. Each says in its message what was received and what is allowed. */

/** Text of a form; `echo` says whether a message may repeat it. */
export const text = (rule: Rule, { echo = true } = {}) =>
  z
    .string()
    .regex(rule.pattern, {
      error: ({ input }) => `${echo ? show(input) : "this text"} is not allowed; ${rule.allowed}`,
    })
    .meta(inEditors(rule));

/** What an editor says in place of a pattern that a text does not match. */
export const inEditors = ({ allowed }: Pick<Rule, "allowed">) => ({ patternErrorMessage: allowed });

/** A map whose keys have a form of their own; checks/names.ts reports the keys, so that the finding stands on the key. */
export const named = <T extends z.ZodType>(rule: Rule, value: T) =>
  z.record(z.string(), value).meta({
    propertyNames: { pattern: rule.pattern.source, ...inEditors(rule) },
  });

/** Text that a function finds nothing wrong with; `echo` says whether a message may repeat it. */
export const faultless = (fault: (value: string) => string | undefined, { echo = true, allowed = "" } = {}) =>
  z
    .string(allowed ? { error: ({ input }) => `${show(input)} is not allowed; ${allowed}` } : {})
    .superRefine((value, context) => {
      const message = fault(value);
      if (message !== undefined)
        context.addIssue({ code: "custom", message: echo ? `${show(value)} ${message}` : message });
    });

const durationAllowed = "write numbers with h, m, s or ms, such as 10m or 1h30m0s";

interface DurationBounds {
  readonly least?: number;
  readonly whole?: boolean;
  /** Some fields of Flux take no `h`. */
  readonly hours?: boolean;
}

function durationFault(
  value: string,
  { least = 0, whole = false, hours = true }: DurationBounds,
): string | undefined {
  if (!durationPattern.test(value)) {
    return `is not a duration; ${durationAllowed}`;
  }
  if (!hours && value.includes("h"))
    return "has hours, which Flux does not take here; write minutes, such as 90m";
  let seconds: number;
  try {
    seconds = durationSeconds(value);
  } catch {
    return "is longer than Flux can hold; the longest duration is 2562047h";
  }
  if (whole && !Number.isInteger(seconds))
    return "is not a whole number of seconds; Azure takes seconds, such as 90s or 10m";
  if (seconds < least) return `is less than ${least} s; write ${least}s or more`;
  if (whole && seconds > 35_791_394) return "is more than Azure takes; the longest is 35791394s";
  return undefined;
}

/** A duration as Flux takes it, in the author's spelling. */
export const duration = (bounds: DurationBounds = {}) =>
  faultless((value) => durationFault(value, bounds), { allowed: durationAllowed }).meta({
    pattern: durationPattern.source,
    ...inEditors({ allowed: durationAllowed }),
  });

/** A folder from the root of the repository. */
export const folderPath = () => faultless(pathFault);

/** A calendar date. */
export const date = () =>
  faultless(
    (value) => {
      const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
      const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
      return day !== undefined && at.toISOString().startsWith(value)
        ? undefined
        : "is not a date; write a day of the calendar, such as 2026-12-24";
    },
    { allowed: "write a day of the calendar, such as 2026-12-24" },
  );

/** One line that a person reads. */
export const sentence = () =>
  faultless((value) => {
    if (value.trim() === "") return "is empty; write a few words";
    return /\p{Cc}/u.test(value) ? "has a line break or a control character; write one line" : undefined;
  });

/**
 * A folder of `layout`, which may hold placeholders: those named, or any when none are (attributes and labels of clusters, which
 * checks/folders.ts looks up).
 */
export const layoutFolder = (placeholders?: readonly string[]) =>
  faultless((value) => {
    const known =
      placeholders === undefined
        ? "{cluster}, {stage}, and attributes and labels of clusters"
        : placeholders.map((name) => `{${name}}`).join(", ") || "no placeholders";
    const unknown = [...value.matchAll(/\{([^{}]*)\}/g)].find(
      ([, name = ""]) => !(placeholders?.includes(name) ?? rules.attributeName.pattern.test(name)),
    );
    if (unknown) return `has the placeholder ${unknown[0]}; a folder may use ${known}`;
    if (/[{}]/.test(value.replace(/\{[^{}]*\}/g, "")))
      return `has a brace that is not closed; a folder may use ${known}`;
    if (value.split("/").some(isWindowsDevice))
      return "has a folder that Windows cannot store, such as con or nul; choose another name";
    return pathFault(value);
  });
