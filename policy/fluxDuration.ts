const pattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const secondsPer: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Seconds of a duration as Flux's objects accept it, such as `10m` or `1h30m`; undefined for anything else. */
export function fluxDurationSeconds(value: unknown): number | undefined {
  if (typeof value !== "string" || !pattern.test(value)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    seconds += Number(amount) * (secondsPer[unit ?? ""] ?? 0);
  }
  return seconds;
}
