import { describe, expect, it } from "vitest";
import { writeRemoval } from "../../fleet/removal.ts";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

const fleet = (removed: string, one = "{}", two = "{}") =>
  fleetText({ cluster: `sets: ${one}`, top: `removed: ${removed}` }) +
  `  edge-1:\n    agents: present\n    sets: ${two}\n`;

/** Without place, and up to the advice. */
const said = (text: string) => findingsOf(text).map((line) => line.replace(/^fleet\.yaml:\d+:\d+: /, ""));

describe("removed", () => {
  it("names sets that no cluster has any more, or one cluster not, as text whatever they look like", () => {
    const { removed } = mustLoad(
      fleet("[pos, edge-0/promo, 0042, edge-1/1.10]", "{ web: {} }", "{ promo: {} }"),
    );
    expect(removed.map(writeRemoval)).toEqual(["pos", "edge-0/promo", "0042", "edge-1/1.10"]);
    expect(mustLoad(fleet("[]")).removed).toEqual([]);
    expect(mustLoad(fleetText()).removed).toEqual([]);
  });

  it("may name a set that some clusters keep", () => {
    expect(said(fleet("[pos]", "{ pos: {} }", "{ web: {} }"))).toEqual([]);
    expect(said(fleet("[edge-1/pos]", "{ pos: {} }", "{ web: {} }"))).toEqual([]);
  });

  it("may not name one that every cluster it is about still has", () => {
    expect(said(fleet("[pos]", "{ pos: {} }", "{ pos: {} }"))).toEqual([
      "removed[0]: says that the set pos is removed, and edge-0, edge-1 still have it; take the set out, or drop the entry",
    ]);
    expect(said(fleet("[web, edge-0/pos]", "{ pos: {} }"))).toEqual([
      "removed[1]: says that the set pos is removed, and edge-0 still has it; take the set out, or drop the entry",
    ]);
  });

  it("says in a map what an entry is about, and is written back as it was", () => {
    const entries = [
      "{ set: pos, from: ./apps/pos-v1 }",
      '{ set: pos, from: "https://git.example.com/a.git", cluster: edge-0 }',
      "{ app: 0042 }",
      "{ app: pos, cluster: edge-0 }",
      "{ cluster: edge-3 }",
      "{ folder: stores/b }",
      "{ window: nightly, cluster: edge-1 }",
    ];
    expect(mustLoad(fleet(`[${entries.join(", ")}]`)).removed.map(writeRemoval)).toEqual(entries);
    expect(mustLoad(fleet("[{ set: pos, cluster: edge-0 }]")).removed).toEqual([
      { kind: "set", name: "pos", cluster: "edge-0" },
    ]);
  });

  it.each([
    ["{ cluster: edge-0 }", "the cluster edge-0 is removed, and the fleet file still has it"],
    ["{ folder: ./clusters/edge-1/ }", "the folder clusters/edge-1 is removed, and edge-1 still has it"],
    [
      "{ set: pos, from: ./apps/pos }",
      "the set pos from ./apps/pos is removed, and edge-0, edge-1 still have it",
    ],
  ])("refuses %s while the fleet file declares that", (entry, message) => {
    const pos = "{ pos: { path: ./apps/pos } }";
    expect(said(fleet(`[${entry}]`, pos, pos))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [
      "{ app: a, set: b }",
      "has to name one thing; write one of set, app, window, tenant, secret, folder, or cluster alone",
    ],
    ["{ from: ./a, app: b }", "has `from` without `set` or `tenant`; write which of them changes"],
    [
      "{ folder: a, cluster: edge-0 }",
      "has `cluster` beside `folder`; a folder is one cluster's, so take `cluster` out",
    ],
    [
      "{ sets: pos }",
      "unknown key; the nearest known key is set; allowed here: set, from, app, window, tenant, secret, folder, cluster",
    ],
  ])("refuses %s", (entry, message) => {
    expect(said(fleet(`[${entry}]`)).join("\n")).toContain(message);
  });

  it("names clusters of the fleet file", () => {
    expect(said(fleet("[edge-l/pos]"))).toEqual([
      'removed[0]: "edge-l" is not a cluster of the fleet file; correct it or drop the entry. Did you mean edge-0?',
    ]);
  });

  it.each([
    [
      "[Pos]",
      'removed[0]: "Pos" is not allowed; write the name of a set, cluster/set, or a map such as {app: till} or {cluster: edge-3}',
    ],
    [
      "[/pos]",
      'removed[0]: "/pos" is not allowed; write the name of a set, cluster/set, or a map such as {app: till} or {cluster: edge-3}',
    ],
    [
      "[edge-0/]",
      'removed[0]: "edge-0/" is not allowed; write the name of a set, cluster/set, or a map such as {app: till} or {cluster: edge-3}',
    ],
    [
      "[edge-0/a/b]",
      'removed[0]: "edge-0/a/b" is not allowed; write the name of a set, cluster/set, or a map such as {app: till} or {cluster: edge-3}',
    ],
    ["[pos, pos]", 'removed[1]: "pos" is in the list already; keep one of them'],
    ["[{ pos: {} }, pos, Web]", /^removed\[0\]\.pos: unknown key/],
    ["[~]", /^removed\[0\]: null is not allowed/],
    ["pos", /^removed: "pos" is not allowed; write a list/],
  ])("%s is refused", (list, message) => {
    const [first, ...others] = said(fleet(list));
    expect(first).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
    // A faulty entry does not hide another.
    expect(others).toHaveLength(list.includes("Web") ? 1 : 0);
  });
});
