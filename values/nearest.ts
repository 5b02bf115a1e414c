/** How many pairs of words one speller compares at most: a file of ten thousand wrong names is told without hints. */
const mostPairs = 200_000;

/** Finds among known words the one that was probably meant. Built once for many words, and bounded for all of them. */
export class Speller {
  /** By length: a word that is much longer or shorter needs no look. */
  readonly #byLength = new Map<number, string[]>();
  readonly #probable = new Map<string, string | undefined>();
  #left = mostPairs;

  constructor(known: Iterable<string>) {
    for (const word of known) {
      const there = this.#byLength.get(word.length);
      if (there) there.push(word);
      else this.#byLength.set(word.length, [word]);
    }
  }

  /** A word that takes the fewest edits to reach; undefined when all take more than `most`. */
  nearest(word: string, most: number): string | undefined {
    let best: string | undefined;
    let least = most + 1;
    const lengths = [...this.#byLength.keys()].filter((length) => Math.abs(length - word.length) <= most);
    for (const length of lengths) {
      for (const candidate of this.#byLength.get(length)!) {
        if (this.#left-- <= 0) return undefined;
        const cost = edits(word.toLowerCase(), candidate.toLowerCase());
        if (cost < least) [best, least] = [candidate, cost];
      }
    }
    return best;
  }

  /** The word that was probably meant: at most half of the word written is wrong. */
  probable(word: string): string | undefined {
    if (!this.#probable.has(word)) this.#probable.set(word, this.nearest(word, Math.floor(word.length / 2)));
    return this.#probable.get(word);
  }
}

/** The word of `known` that takes the fewest edits to reach; undefined when all take more than `most`. */
export function nearest(word: string, known: Iterable<string>, most = Infinity): string | undefined {
  return new Speller(known).nearest(word, most);
}

/** The word of `known` that was probably meant: at most half of the word written is wrong. */
export function probable(word: string, known: Iterable<string>): string | undefined {
  return new Speller(known).probable(word);
}

/** ` Did you mean pos?`, to follow a sentence; empty without a word. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : ` Did you mean ${near}?`;
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
