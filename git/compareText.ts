import type { Comparison } from "./types.ts";

/** Compares two texts, taking any line end for the same and the final newline for nothing. */
export function compareText(_path: string, theirs: string, ours: string): Comparison {
  const [left, right] = [lines(theirs), lines(ours)];
  const differences: string[] = [];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    if (left[index] === right[index]) continue;
    const show = (line: string | undefined): string => (line === undefined ? "(no line)" : shown(line));
    differences.push(`line ${index + 1}: ${show(left[index])} -> ${show(right[index])}`);
  }
  return { same: differences.length === 0, differences, foreign: [] };
}

function lines(text: string): string[] {
  const all = text.split(/\r\n|\n|\r/);
  while (all.at(-1) === "") all.pop();
  return all;
}

/** A value on one line of a message: quoted, and cut where it is long. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}
