/** What Git knows of the order of commits. Commits outside of what was read are not known. */
export interface History {
  /** Whether `commit` is `tip` or among what `tip` is built on; undefined where that cannot be told. */
  contains(tip: string, commit: string): boolean | undefined;
  /** The commits whose hashes begin so. */
  find(beginning: string): readonly string[];
}

/** A commit as a history needs it. */
export interface HistoryCommit {
  readonly parents: readonly string[];
  /** Seconds since 1970. */
  readonly time: number;
}

/** A history of nothing: a commit is known to contain itself. */
export const noHistory: History = {
  contains: (tip, commit) => (tip === commit ? true : undefined),
  find: () => [],
};

/**
 * The history of some commits, the newest of their branches. Where the way down ends at commits whose parents were not
 * read, only a commit that is younger than all of these is known not to lie below.
 */
export function historyOf(commits: ReadonlyMap<string, HistoryCommit>): History {
  const asked = new Map<string, Below>();
  return {
    find: (beginning) => [...commits.keys()].filter((id) => id.startsWith(beginning)),
    contains(tip, commit) {
      let below = asked.get(tip);
      if (below === undefined) asked.set(tip, (below = everythingBelow(tip, commits)));
      if (below.seen.has(commit)) return true;
      const time = commits.get(commit)?.time;
      return below.end === undefined || (time !== undefined && time > below.end) ? false : undefined;
    },
  };
}

interface Below {
  readonly seen: ReadonlySet<string>;
  /** Time of the youngest commit with a parent that was not read; undefined where all were. */
  readonly end: number | undefined;
}

function everythingBelow(tip: string, commits: ReadonlyMap<string, HistoryCommit>): Below {
  const seen = new Set<string>();
  const queue = [tip];
  let end: number | undefined;
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const commit = commits.get(next);
    if (commit === undefined) end = Infinity;
    else if (commit.parents.some((parent) => !commits.has(parent))) end = Math.max(end ?? 0, commit.time);
    queue.push(...(commit?.parents.filter((parent) => commits.has(parent)) ?? []));
  }
  return { seen, end };
}
