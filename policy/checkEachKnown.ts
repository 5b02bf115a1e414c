import { UnknownValueError } from "@pulumi/policy";

/** One thing to check, and what it is about: `FluxConfiguration 'a'`. */
export interface Step {
  readonly about: string;
  readonly check: () => void;
}

/** What the host knows a value by that is not known yet. */
export interface UnknownValue extends Error {
  /** What was left out, where it is several things. */
  readonly parts?: readonly string[];
}

// The package strips this class from its declarations, though it exports it.
const UnknownValue = UnknownValueError as unknown as new (...args: unknown[]) => UnknownValue;

/** Whether an error says that a value is not known yet. */
export function isUnknownValue(error: unknown): error is UnknownValue {
  return error instanceof UnknownValue;
}

/**
 * Runs every step. In a preview, reading a value that is not known yet throws and would end the whole check, so a
 * step that meets one is left out, the others still run, and what was left out is told at the end, by that same error:
 * Pulumi shows it as advice. In the update every value is known and every step runs.
 */
export function checkEachKnown(steps: Iterable<Step>): void {
  const skipped: { about: string; error: Error }[] = [];
  for (const { about, check } of steps) {
    try {
      check();
    } catch (error) {
      if (!isUnknownValue(error)) throw error;
      skipped.push({ about, error });
    }
  }
  const first = skipped[0];
  if (first === undefined) return;
  const parts = skipped.map(({ about, error }) => `${about}: ${error.message}`);
  const more = parts.length - 3;
  // The host knows this error by its class, so the one caught is thrown again.
  first.error.message = `${parts.slice(0, 3).join("; ")}${more > 0 ? `; and ${more} more` : ""}. The update judges it.`;
  throw Object.assign(first.error, { parts });
}
