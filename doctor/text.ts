import { printable } from "../values/show.ts";
import type { Checkup } from "./checkup.ts";

/** A line a checkup, and below it the way out of what is wrong. */
export function checkupText(checkups: readonly Checkup[]): string {
  const lines = checkups.flatMap(({ about, state, text, mend }) => [
    `${state.padEnd(8)} ${about}: ${printable(text)}`,
    ...(mend === undefined ? [] : [`         ${printable(mend)}`]),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}
