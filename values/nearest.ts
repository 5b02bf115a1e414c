/** The word of `known` that takes the fewest edits to reach; undefined when all take more than `most`. */
export function nearest(word: string, known: Iterable<string>, most = Infinity): string | undefined {
  let best: string | undefined;
  let least = most === Infinity ? most : most + 1;
  for (const candidate of known) {
    const cost = edits(word.toLowerCase(), candidate.toLowerCase());
    if (cost < least) [best, least] = [candidate, cost];
  }
  return best;
}

/** The word of `known` that was probably meant: at most half of the word written is wrong. */
export function probable(word: string, known: Iterable<string>): string | undefined {
  return nearest(word, known, Math.floor(word.length / 2));
}

/** Edits to turn one word into the other: insert, delete, change, or swap two neighbours. */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      }
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
