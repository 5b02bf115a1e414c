const pattern = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Whether two texts are durations as Flux writes them, and of the same length: `60m0s` and `1h`. */
export function sameDuration(one: string, other: string): boolean {
  const [left, right] = [lengthOf(one), lengthOf(other)];
  return left !== undefined && right !== undefined && Math.abs(left - right) < 1e-6;
}

/** Milliseconds; undefined for a text that Flux would refuse. */
function lengthOf(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  let total = 0;
  for (const [, amount = "0", unit = "ms"] of text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (milliseconds[unit] ?? 0);
  }
  return total;
}
