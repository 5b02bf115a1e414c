import type { TreeReader } from "../git/index.ts";
import { type Entry, readRecord, recordPath } from "../status/index.ts";

/** One line of the record, in full words. */
export interface RecordedRun {
  readonly time: string;
  /** Commit of the flux folder that the cluster had applied. */
  readonly fluxFolder?: string;
  /** Commit that its sets ran, where all agreed. */
  readonly sets?: string;
  readonly state: string;
  readonly source: string;
  readonly notReady: readonly string[];
}

/** What a cluster ran at a time, as far as somebody looked. */
export interface Ran {
  /** The last that was recorded by then. */
  readonly last?: RecordedRun;
  /** The first that was recorded after it. */
  readonly next?: RecordedRun;
}

/** Looks a cluster up in the record, which has a file for each month and in each at first every cluster. */
export async function readRan(
  record: Pick<TreeReader, "list" | "read">,
  cluster: string,
  at: Date,
): Promise<Ran> {
  const asOf = at.toISOString();
  const own = recordPath(asOf);
  const files = await filesOf(record);
  const upTo = files.filter((path) => path <= own);
  const after = files.filter((path) => path >= own);
  const entriesOf = async (path: string): Promise<Entry[]> => {
    const content = (await record.read([path])).get(path);
    return readRecord(content?.toString("utf8") ?? "").filter(({ c }) => c === cluster);
  };
  // An older file may be needed where this month's has the cluster later only.
  const first = async (
    paths: readonly string[],
    find: (entries: readonly Entry[]) => Entry | undefined,
  ): Promise<RecordedRun | undefined> => {
    for (const path of paths) {
      const found = find(await entriesOf(path));
      if (found !== undefined) return runOf(found);
    }
    return undefined;
  };
  const seconds = `${asOf.slice(0, 19)}Z`;
  const last = await first(upTo.reverse(), (entries) => entries.findLast(({ t }) => t <= seconds));
  const next = await first(after, (entries) => entries.find(({ t }) => t > seconds));
  return { ...(last && { last }), ...(next && { next }) };
}

/** What was recorded last of every cluster, the newest first, at most so many each; of the newest two months. */
export async function recentRuns(
  record: Pick<TreeReader, "list" | "read">,
  most: number,
): Promise<ReadonlyMap<string, readonly RecordedRun[]>> {
  const files = (await filesOf(record)).slice(-2);
  const contents = await record.read(files);
  const runs = new Map<string, RecordedRun[]>();
  for (const file of files.reverse())
    for (const entry of readRecord(contents.get(file)?.toString("utf8") ?? "").reverse()) {
      const known = runs.get(entry.c) ?? [];
      if (known.length < most) known.push(runOf(entry));
      runs.set(entry.c, known);
    }
  return runs;
}

/** Files of the record, `2026/2026-11.jsonl`, the oldest first. */
async function filesOf(record: Pick<TreeReader, "list">): Promise<string[]> {
  const root = (await record.list([""])).get("") ?? [];
  const years = root
    .filter(({ kind, name }) => kind === "folder" && /^\d{4}$/.test(name))
    .map(({ name }) => name);
  const months = await record.list(years);
  return [...months]
    .flatMap(([year, entries]) => entries.map(({ name }) => `${year}/${name}`))
    .filter((path) => /^\d{4}\/\d{4}-\d{2}\.jsonl$/.test(path))
    .sort();
}

function runOf({ t, w, b, s, n, by }: Entry): RecordedRun {
  return {
    time: t,
    ...(b !== undefined && { fluxFolder: b }),
    // The sets are named apart only where they ran something else.
    ...((s ?? b) !== undefined && { sets: s ?? b! }),
    state: w,
    source: by,
    notReady: Object.entries(n ?? {}).map(([set, word]) => `${set} ${word}`),
  };
}
