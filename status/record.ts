import type { ClusterState } from "./model.ts";
import { hashOf } from "./revision.ts";
import type { Word } from "./words.ts";

/** Branch that the record is kept on unless another is named. */
export const recordBranch = "arcflux-record";

/** One line of the record: what a cluster ran from a time on. Short names, since there are many. */
export interface Entry {
  /** When it was asked, ISO to the second. */
  readonly t: string;
  readonly c: string;
  readonly w: Word;
  /** Commit that the bootstrap has applied. */
  readonly b?: string;
  /** Commit that the sets run, where all agree. */
  readonly s?: string;
  /** Sets that are not ready, with their words. */
  readonly n?: Readonly<Record<string, Word>>;
  /** Offline since, ISO. */
  readonly o?: string;
  /** Who told. */
  readonly by: ClusterState["source"];
}

/** File of the record for a time: one a month, so that none grows without end. */
export function recordPath(asOf: string): string {
  return `${asOf.slice(0, 4)}/${asOf.slice(0, 7)}.jsonl`;
}

/**
 * The file of a month with the entries of clusters that changed since, at its end; undefined where none did. A month
 * begins with all clusters, so that each file can be read alone. What nobody could tell is no change.
 */
export function recorded(before: string, states: readonly ClusterState[], asOf: string): string | undefined {
  const last = new Map(readRecord(before).map((entry) => [entry.c, entry]));
  const lines = states.flatMap((state) => {
    const entry = entryOf(state, asOf);
    const known = last.get(state.cluster);
    if (known !== undefined && (state.source === "git" || sameBut(known, entry))) return [];
    return `${JSON.stringify(entry)}\n`;
  });
  return lines.length === 0 ? undefined : `${before}${lines.join("")}`;
}

/** The entries of a file; lines that are none, such as of a newer version, are passed over. */
export function readRecord(text: string): Entry[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry = JSON.parse(line) as Partial<Entry> | null;
      return typeof entry?.c === "string" && typeof entry.t === "string" ? [entry as Entry] : [];
    } catch {
      return [];
    }
  });
}

function entryOf(state: ClusterState, asOf: string): Entry {
  const { cluster, word, runs, sets, source, since } = state;
  const [b, s] = [hashOf(runs.bootstrap), hashOf(runs.sets)];
  const notReady = sets.filter(({ word }) => word !== "ready" && word !== "not asked");
  return {
    ...{ t: `${asOf.slice(0, 19)}Z`, c: cluster, w: word },
    ...(b !== undefined && { b }),
    ...(s !== undefined && s !== b && { s }),
    ...(notReady.length > 0 && { n: Object.fromEntries(notReady.map(({ name, word }) => [name, word])) }),
    ...(word === "offline" && since !== undefined && { o: since }),
    by: source,
  };
}

function sameBut(one: Entry, other: Entry): boolean {
  return JSON.stringify({ ...one, t: "" }) === JSON.stringify({ ...other, t: "" });
}
