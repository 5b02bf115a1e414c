import { setTimeout as wait } from "node:timers/promises";
import type { GitContext } from "../words/types.ts";

/** An answer that another one may follow: the host is busy, starts anew, or limits how often it is asked. */
export interface Passing {
  /** Milliseconds that it asks to wait, where it says so. */
  readonly wait: number | undefined;
}

/** An answer, and what was done to get another one, for people; without a note, nothing. */
export interface Answered<T> {
  readonly answer: T;
  readonly note?: string;
}

/** The most that all waits of one session come to, in milliseconds. */
const longest = 120_000;
const mostTries = 6;

/** Asks a host again, as long as its fault may pass and time is left; one for all that a session asks. */
export class Patience {
  readonly #sleep: (milliseconds: number) => Promise<void>;
  readonly #random: () => number;
  #left: number;

  constructor({ sleep, random, signal, timeouts }: GitContext) {
    this.#sleep = sleep ?? ((milliseconds) => wait(milliseconds, undefined, signal && { signal }));
    this.#random = random ?? Math.random;
    // Who gives a fetch little time, as a preview does, has no more of it for waiting.
    this.#left = Math.min(longest, timeouts?.fetch ?? longest);
  }

  async ask<T>(once: () => Promise<T>, passing: (answer: T) => Passing | undefined): Promise<Answered<T>> {
    for (let tries = 1, waited = 0; ; tries += 1) {
      const answer = await once();
      const found = passing(answer);
      if (found === undefined) return { answer };
      const pause = found.wait ?? Math.round(1000 * 2 ** (tries - 1) * (0.5 + this.#random() / 2));
      if (tries >= mostTries || pause > this.#left) {
        const asked =
          tries === 1 ? "" : `Asked ${tries} times, with ${Math.round(waited / 1000)} s in between. `;
        const longer =
          found.wait !== undefined && pause > this.#left
            ? `It asks to wait ${Math.round(pause / 1000)} s, which is longer than a run waits.`
            : "";
        return { answer, note: `${asked}${longer}`.trim() };
      }
      this.#left -= pause;
      waited += pause;
      // Where a signal ends the sleep, it ends what follows too, with words of its own.
      await this.#sleep(pause).catch(() => undefined);
    }
  }
}

/** Milliseconds that a Retry-After header asks for: a number of seconds, or a date. */
export function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
