import { describe, expect, it } from "vitest";
import {
  applied,
  type ClusterState,
  historyOf,
  readyAt,
  type SetState,
  type Word,
} from "../../status/index.ts";

const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(40)) as [string, string, string];
/** a <- b <- c, and what lies below a was not read. */
const history = historyOf(
  new Map([
    [a, { parents: ["0".repeat(40)], time: 1 }],
    [b, { parents: [a], time: 2 }],
    [c, { parents: [b], time: 3 }],
  ]),
);

function set(word: Word, commit: string, more: Partial<SetState> = {}): SetState {
  const healthy = word !== "failing" && word !== "progressing";
  return { name: "pos", word, revision: `main@sha1:${commit}`, healthy, followsTip: true, ...more };
}

function state(cluster: string, word: Word, sets: SetState[], bootstrap = c): ClusterState {
  return {
    cluster,
    word,
    wanted: { branch: "main", commit: c, pins: {} },
    runs: { bootstrap: `main@sha1:${bootstrap}` },
    sets,
    others: [],
    notes: [],
    windows: [],
    source: word === "not asked" ? "git" : "azure",
  };
}

describe("readyAt", () => {
  it("tells apart what waits, what is away and what fails, and counts only what is ready", () => {
    const many = (count: number, name: string, word: Word, sets: SetState[]): ClusterState[] =>
      Array.from({ length: count }, (_, index) => state(`${name}-${index + 1}`, word, sets));
    const states = [
      ...many(581, "store", "ready", [set("ready", c)]),
      ...many(12, "night", "waiting for a window", [set("waiting for a window", a, { window: "nightly" })]),
      ...many(7, "away", "offline", [set("ready", c)]),
    ];
    const count = readyAt(states, c, { share: 95, failing: 0 }, { history, nextOpening: () => "01:00" });
    expect(count.text).toBe(
      "581 of 600 ready, 0 failing, 12 wait for nightly (next 01:00), 7 offline (away-1, away-2, away-3, away-4, away-5 and 2 more)",
    );
    expect(count.passes).toBe(true);
    expect(readyAt(states, c, { share: 97, failing: 0 }, { history }).passes).toBe(false);
    const broken = [...states, state("store-x", "failing", [set("failing", a)])];
    expect(readyAt(broken, c, { share: 95, failing: 0 }, { history }).passes).toBe(false);
    expect(readyAt(broken, c, { share: 95, failing: 1 }, { history }).passes).toBe(true);
    expect(readyAt([], c, { share: 0, failing: 0 }).passes).toBe(false);
  });

  it.each<[what: string, one: ClusterState, at: string, expected: Word]>([
    ["the tip it runs", state("x", "ready", [set("ready", c)]), c, "ready"],
    ["an older commit that its tip is built on", state("x", "ready", [set("ready", c)]), b, "ready"],
    [
      "a windowed set after an opening with it",
      state("x", "waiting for a window", [set("waiting for a window", b, { window: "n" })]),
      b,
      "ready",
    ],
    [
      "a windowed set before that opening",
      state("x", "waiting for a window", [set("waiting for a window", a, { window: "n" })]),
      b,
      "waiting for a window",
    ],
    ["a commit that the bootstrap has not taken", state("x", "behind", [], a), b, "behind"],
    [
      "a commit that is not on its branch",
      { ...state("x", "ready", [set("ready", b)], b), wanted: { branch: "prod", commit: b, pins: {} } },
      c,
      "waiting for promotion",
    ],
    ["a set that fails at it", state("x", "failing", [set("failing", c)]), c, "failing"],
    [
      "a pinned set that fails",
      state("x", "failing", [set("failing", a, { followsTip: false })]),
      c,
      "failing",
    ],
    ["a suspended set that has it", state("x", "suspended", [set("suspended", c)]), c, "suspended"],
    ["a suspended set that lacks it", state("x", "suspended", [set("suspended", a)]), c, "suspended"],
    ["nobody to ask", state("x", "not asked", [set("ready", c)]), c, "not asked"],
    ["a commit nobody knows", state("x", "ready", [set("ready", c)]), "d".repeat(40), "progressing"],
  ])("%s", (_, one, at, expected) => {
    const { ready, others } = readyAt([one], at, undefined, { history });
    expect(ready === 1 ? "ready" : Object.keys(others)[0]).toBe(expected);
  });
});

describe("applied", () => {
  it.each([
    ["the commit itself", state("x", "ready", []), c, "yes"],
    ["one built on it", state("x", "ready", []), a, "yes"],
    ["an older one", state("x", "behind", [], a), c, "no"],
    ["what an offline cluster had", state("x", "offline", [], b), b, "yes"],
    ["one of which nobody knows", state("x", "ready", [], "e".repeat(40)), b, "unknown"],
    ["Git alone", state("x", "not asked", []), c, "unknown"],
  ])("of %s", (_, one, commit, expected) => {
    expect(applied(one, commit, history)).toBe(expected);
  });
});
