/** The pattern of Flux's own CRDs: `10m`, `1h30m`, `1.5h`, `500ms`; no days, no sign, no bare number. */
export const durationPattern = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;

/** Longest duration that Go, and with it Flux, can hold: 2^63 - 1 nanoseconds. */
const longest = 9_223_372_036;

const nanoseconds: Readonly<Record<string, bigint>> = {
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/**
 * A duration in seconds: `1.5h` is 5400, `500ms` is 0.5. Two spellings are the same duration when their seconds are equal.
 * Throws for a text that Flux would refuse.
 */
export function durationSeconds(text: string): number {
  if (!durationPattern.test(text)) {
    throw new Error(
      `${JSON.stringify(text)} is not a duration; write hours, minutes and seconds, such as 10m or 1h30m.`,
    );
  }
  let total = 0n;
  // In whole nanoseconds, as Go counts: 1.1 * 3600 is not 3960 in floating point.
  for (const [, whole, fraction = "", unit] of text.matchAll(/([0-9]+)(?:\.([0-9]+))?(ms|s|m|h)/g)) {
    total += (BigInt(`${whole}${fraction}`) * nanoseconds[unit!]!) / 10n ** BigInt(fraction.length);
  }
  const seconds = Number(total) / 1e9;
  if (seconds > longest) {
    throw new Error(`${JSON.stringify(text)} is longer than Flux can hold; the longest is 2562047h.`);
  }
  return seconds;
}

/** As durationSeconds; undefined for anything that Flux would refuse. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !durationPattern.test(value)) return undefined;
  try {
    return durationSeconds(value);
  } catch {
    return undefined;
  }
}

/** Whether two texts are durations of the same length: `60m0s` and `1h`. */
export function sameDuration(one: string, other: string): boolean {
  const seconds = secondsOf(one);
  return seconds !== undefined && seconds === secondsOf(other);
}
