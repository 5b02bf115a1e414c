import { z } from "zod";
import { durationPattern, durationSeconds } from "./duration.ts";
import { pathFault } from "./repositoryPath.ts";
import type { Rule } from "./rules.ts";
import { show } from "./show.ts";

/* Kinds of values that the schema is made of. Each says in its message what was received and what is allowed. */

/** Text of a form; `echo` says whether a message may repeat it. */
export const text = (rule: Rule, { echo = true } = {}) =>
  z.string().regex(rule.pattern, {
    error: ({ input }) => `${echo ? show(input) : "this text"} is not allowed; ${rule.allowed}`,
  });

/** A map whose keys have a form of their own; checks/names.ts reports the keys, so that the finding stands on the key. */
export const named = <T extends z.ZodType>(rule: Rule, value: T) =>
  z.record(z.string(), value).meta({ propertyNames: { pattern: rule.pattern.source } });

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
}

function durationFault(value: string, { least = 0, whole = false }: DurationBounds): string | undefined {
  if (!durationPattern.test(value)) {
    return `is not a duration; ${durationAllowed}`;
  }
  let seconds: number;
  try {
    seconds = durationSeconds(value);
  } catch {
    return "is longer than Flux can hold; the longest duration is 2562047h";
  }
  if (whole && !Number.isInteger(seconds))
    return "is no whole number of seconds; Azure takes seconds, such as 90s or 10m";
  if (seconds < least) return `is less than ${least} s; write ${least}s or more`;
  if (whole && seconds > 35_791_394) return "is more than Azure takes; the longest is 35791394s";
  return undefined;
}

/** A duration as Flux takes it, in the author's spelling. */
export const duration = (bounds: DurationBounds = {}) =>
  faultless((value) => durationFault(value, bounds), { allowed: durationAllowed }).meta({
    pattern: durationPattern.source,
  });

/** A folder from the root of the repository. */
export const folderPath = () => faultless(pathFault);

/** A folder of `layout`, which may hold some placeholders. */
export const layoutFolder = (placeholders: readonly string[]) =>
  faultless((value) => {
    const unknown = [...value.matchAll(/\{([^{}]*)\}/g)].find(
      ([, name]) => !placeholders.includes(name ?? ""),
    );
    const known = placeholders.length
      ? placeholders.map((name) => `{${name}}`).join(", ")
      : "no placeholders";
    if (unknown) return `has the placeholder ${unknown[0]}; a folder may use ${known}`;
    if (/[{}]/.test(value.replace(/\{[^{}]*\}/g, "")))
      return `has a brace that is not closed; a folder may use ${known}`;
    return pathFault(value);
  });
