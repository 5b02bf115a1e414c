/** Wall time of one run, in seconds. */
export async function seconds(run: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Two things measured in turn, so that a machine that gets slower slows both. */
export interface Pair {
  readonly ours: readonly number[];
  readonly other: readonly number[];
  /** Median of the ratios, pair by pair. */
  readonly ratio: number;
}

/** Runs both once without counting, then `rounds` times in turn; the order changes each round. */
export async function pair(
  ours: () => Promise<unknown>,
  other: () => Promise<unknown>,
  rounds: number,
): Promise<Pair> {
  await ours();
  await other();
  const times = { ours: [] as number[], other: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (["ours", "other"] as const) : (["other", "ours"] as const);
    for (const which of order) times[which].push(await seconds(which === "ours" ? ours : other));
  }
  return { ...times, ratio: median(times.ours.map((time, index) => time / (times.other[index] ?? NaN))) };
}

/** One line of the report: both medians with their range, and the ratio against the one to reach. */
export function report(
  title: string,
  names: readonly [string, string],
  result: Pair,
  toReach: number,
): string {
  const show = (times: readonly number[]): string =>
    `${median(times).toFixed(2)} s (${Math.min(...times).toFixed(2)}-${Math.max(...times).toFixed(2)})`;
  const verdict = result.ratio <= toReach ? "reached" : "NOT reached";
  return [
    title,
    `  ${names[0].padEnd(24)} ${show(result.ours)}`,
    `  ${names[1].padEnd(24)} ${show(result.other)}`,
    `  ratio                    ${result.ratio.toFixed(2)} (to reach: at most ${toReach}; ${verdict})`,
  ].join("\n");
}
