import { quoted } from "./show.ts";

/** What two contents of one file have in common. */
export interface Comparison {
  /** Whether both mean the same. */
  readonly same: boolean;
  /** One line for each field that differs, such as `spec.interval: 5m -> 10m`, theirs first; for people. */
  readonly differences: readonly string[];
  /** Names of objects in theirs that ours does not have, where theirs holds several. */
  readonly foreign: readonly string[];
  /** Why theirs could not be read for what it means, in words that follow "it"; what it holds is not known then. */
  readonly unreadable?: string | undefined;
}

/** Compares contents by what they mean. `path` tells the format. */
export type Compare = (path: string, theirs: string, ours: string) => Comparison;

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
  return quoted(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** The same comparison that never throws: what it cannot judge counts as unreadable. */
export function totally(compare: Compare): Compare {
  return (path, theirs, ours) => {
    try {
      return compare(path, theirs, ours);
    } catch {
      return { ...compareText(path, theirs, ours), unreadable: "could not be compared" };
    }
  };
}
