import { type History, noHistory } from "./history.ts";
import type { ClusterState, SetState } from "./model.ts";
import { hashOf } from "./revision.ts";
import type { Word } from "./words.ts";

/** When a stage, a ring or another group of clusters counts as ready. */
export interface Gate {
  /** Percent of the clusters that must be ready. */
  readonly share: number;
  /** How many may fail. */
  readonly failing: number;
}

export const defaultGate: Gate = { share: 95, failing: 0 };

/** Of some clusters, how many are ready at a commit, and where the others stand. */
export interface ReadyCount {
  readonly of: number;
  readonly ready: number;
  /** Names of the clusters by word; those that are ready are not listed. */
  readonly others: Readonly<Partial<Record<Exclude<Word, "ready">, readonly string[]>>>;
  /** Whether the gate lets them pass. */
  readonly passes: boolean;
  /** `581 of 600 ready, 0 failing, 12 wait for nightly (next 01:00), 7 offline (store-001, …)`. */
  readonly text: string;
}

/** What counting takes from around it. */
export interface ReadyContext {
  readonly history?: History;
  /** The next opening of a window of a cluster, for people: `01:00`. */
  readonly nextOpening?: (window: string, cluster: string) => string | undefined;
}

/**
 * Counts the clusters that are ready, with a commit: that run it or one built on it, in all their sets that follow the
 * tip. The one way to ask whether clusters are ready: `wait`, promotions and roll-outs call it. What is offline, suspended,
 * waiting or was not asked never counts as ready; a windowed set does from its first opening with that commit on.
 */
export function readyAt(
  states: readonly ClusterState[],
  commit: string | undefined,
  gate: Gate = defaultGate,
  context: ReadyContext = {},
): ReadyCount {
  const byWord = new Map<Word, string[]>();
  for (const state of states) {
    const word = commit === undefined ? state.word : wordAt(state, commit, context.history ?? noHistory);
    byWord.set(word, [...(byWord.get(word) ?? []), state.cluster]);
  }
  const ready = byWord.get("ready")?.length ?? 0;
  byWord.delete("ready");
  const failing = byWord.get("failing")?.length ?? 0;
  const passes = states.length > 0 && ready * 100 >= gate.share * states.length && failing <= gate.failing;
  const others = Object.fromEntries(byWord) as ReadyCount["others"];
  return {
    of: states.length,
    ready,
    others,
    passes,
    text: countText(states, ready, others, context.nextOpening ?? (() => undefined)),
  };
}

/** The word of a cluster for one commit, which need not be the tip. */
export function wordAt(state: ClusterState, commit: string, history: History): Word {
  const { word, sets, wanted } = state;
  if (word === "offline" || word === "not asked") return word;
  const onBranch = wanted.commit === undefined ? undefined : history.contains(wanted.commit, commit);
  if (onBranch === false) return "waiting for promotion";
  const other = state.others.find(({ word }) => word === "failing" || word === "suspended")?.word;
  if (other === "failing") return "failing";
  const tips = sets.filter(({ followsTip }) => followsTip);
  const rest = sets.filter(({ followsTip }) => !followsTip);
  const late = tips.filter((set) => !hasRun(set, commit, history));
  // What is suspended never counts, whatever it had applied before.
  const words = [...late, ...rest, ...tips.filter(({ word }) => word === "suspended")].map(
    ({ word }) => word,
  );
  for (const each of ["failing", "behind", "held back", "suspended", "waiting for a window"] as const) {
    if (words.includes(each)) return each;
  }
  if (other !== undefined) return other;
  const bootstrap = hashOf(state.runs.bootstrap);
  const arrived = bootstrap !== undefined && history.contains(bootstrap, commit) === true;
  if (late.length > 0 || !arrived || rest.some((set) => set.word !== "ready")) {
    return words.includes("waiting for promotion") ? "waiting for promotion" : lateWord(state);
  }
  return "ready";
}

function hasRun(set: SetState, commit: string, history: History): boolean {
  const has = hashOf(set.revision);
  return set.healthy && has !== undefined && history.contains(has, commit) === true;
}

/** What is not there yet is on its way, unless the whole cluster was found behind. */
function lateWord({ word }: ClusterState): Word {
  return word === "behind" || word === "failing" ? word : "progressing";
}

/** How many names are listed. */
const named = 5;

function countText(
  states: readonly ClusterState[],
  ready: number,
  others: ReadyCount["others"],
  nextOpening: NonNullable<ReadyContext["nextOpening"]>,
): string {
  const parts = [`${ready} of ${states.length} ready`, withNames(others.failing ?? [], "failing")];
  const add = (word: keyof typeof others): void => {
    const names = others[word];
    if (names !== undefined) parts.push(withNames(names, word));
  };
  add("behind");
  if (others.progressing) parts.push(`${others.progressing.length} progressing`);
  add("held back");
  if (others["waiting for promotion"])
    parts.push(`${others["waiting for promotion"].length} wait for promotion`);
  add("suspended");
  parts.push(...waitingText(states, new Set(others["waiting for a window"] ?? []), nextOpening));
  add("offline");
  add("not asked");
  return parts.join(", ");
}

/** One part for each window: `12 wait for nightly (next 01:00)`. */
function waitingText(
  states: readonly ClusterState[],
  waiting: ReadonlySet<string>,
  nextOpening: NonNullable<ReadyContext["nextOpening"]>,
): string[] {
  const byWindow = new Map<string, string[]>();
  for (const { cluster, sets } of states) {
    if (!waiting.has(cluster)) continue;
    const window = sets.find(({ word }) => word === "waiting for a window")?.window ?? "a window";
    byWindow.set(window, [...(byWindow.get(window) ?? []), cluster]);
  }
  return [...byWindow].map(([window, [first = "", ...more]]) => {
    const next = nextOpening(window, first);
    return `${more.length + 1} wait for ${window}${next === undefined ? "" : ` (next ${next})`}`;
  });
}

function withNames(names: readonly string[], word: string): string {
  if (names.length === 0) return `0 ${word}`;
  const more = names.length > named ? ` and ${names.length - named} more` : "";
  return `${names.length} ${word} (${names.slice(0, named).join(", ")}${more})`;
}
