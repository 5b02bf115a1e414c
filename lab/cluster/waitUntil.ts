import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  /** Longest wait. Defaults to 180: far more than it takes on a busy machine, so that only a fault gets there. */
  readonly seconds?: number;
  /** Between two looks. Defaults to 200 ms. */
  readonly everyMs?: number;
  /** What is the case instead, for the error: looked up once, at the end. */
  readonly instead?: () => string | Promise<string>;
  /** A reason to give up at once, such as a cluster that has ended. Looked at before each look. */
  readonly failure?: () => Error | undefined;
}

/**
 * Looks until there is something, and gives it. Throws when there is nothing in time, with what was waited for and what
 * was there instead. A look that throws counts as nothing; the last error is told.
 */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  options: WaitOptions = {},
): Promise<T> {
  const { seconds = 180, everyMs = 200, instead, failure } = options;
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  for (;;) {
    const reason = failure?.();
    if (reason !== undefined) throw reason;
    try {
      last = undefined;
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) break;
    await sleep(everyMs);
  }
  const seen = await Promise.resolve(instead?.()).catch((error: unknown) => String(error));
  const details = [seen, last instanceof Error ? last.message : undefined].filter(
    (one) => one !== undefined && one !== "",
  );
  throw new Error(
    `Waited ${seconds} s for this, and it did not come: ${what}.${details.map((one) => `\n${one}`).join("")}`,
    { cause: last },
  );
}
