import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { findingsOf, fleetText } from "./fixture.ts";

describe("a file that is not the YAML it should be", () => {
  it.each([
    ["empty", "", "1:1: is empty"],
    ["only a comment", "# nothing\n", "1:1: is empty"],
    ["null", "~\n", "1:1: is empty"],
    ["text", "fleet\n", '1:1: "fleet" is not allowed; write a map'],
    ["a list", "- a\n", "1:1: a list is not allowed; write a map"],
    ["two documents", "apiVersion: arcflux/v1\n---\na: b\n", "2:1: a second document begins here"],
    ["a tab", "clusters:\n\tedge-0: {}\n", "2:1: a tab is used as indentation"],
    ["an open bracket", "clusters: {\n", "2:1: is not YAML"],
    ["an unknown tag", fleetText({ cluster: "labels: { a: !secret b }" }), "8:18: a tag or a value"],
    [
      "a duplicate key",
      fleetText({ cluster: "labels: {}\nlabels: {}" }),
      "9:5: clusters.edge-0.labels: this key is there already",
    ],
    [
      "an alias of nothing",
      fleetText({ cluster: "labels: *x" }),
      "8:13: clusters.edge-0.labels: the alias *x has no anchor",
    ],
    [
      "an alias of itself",
      fleetText({ cluster: "labels: &x { a: *x }" }),
      "8:21: clusters.edge-0.labels.a: the alias *x",
    ],
    ["a merge key", fleetText({ cluster: "<<: { labels: {} }" }), "8:5: clusters.edge-0: merge keys (<<)"],
    ["a key of many parts", fleetText({ cluster: "? [a]\n: b" }), "8:7: clusters.edge-0: has a key that is"],
    [
      "the key of all keys",
      fleetText({ cluster: "labels: { __proto__: x }" }),
      "8:15: clusters.edge-0.labels: __proto__",
    ],
    [
      "half a character",
      fleetText({ cluster: 'variables: { a: "\\ud800" }' }),
      "8:21: clusters.edge-0.variables.a: has half",
    ],
  ])("%s", (_, text, expected) => {
    expect(loadFleet(text, "fleet.yaml").fleet).toBeUndefined();
    expect(findingsOf(text)).toContainEqual(expect.stringContaining(`fleet.yaml:${expected}`));
  });

  it("goes on to the other findings where the parser is not lost", () => {
    const lines = findingsOf(
      fleetText({ cluster: "labels: {}\nlabels: {}\nsets: { pos: { interval: 1d } }" }),
    );
    expect(lines).toHaveLength(2);
  });

  it("does not expand a few lines into billions of values", () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `x${i}: &x${i} [${i > 0 ? `*x${i - 1}, `.repeat(9) : "a"}]`,
    );
    expect(findingsOf(levels.join("\n"))).toContainEqual(expect.stringContaining("aliases repeat more than"));
  });

  it.each([200, 5_000, 200_000])("survives %d levels of nesting", (depth) => {
    expect(findingsOf(`a: ${"[".repeat(depth)}${"]".repeat(depth)}`)).not.toEqual([]);
  });
});

describe("what is nested too deeply", () => {
  const levels = (count: number) => `${fleetText()}    x: ${"{a: ".repeat(count)}1${"}".repeat(count)}\n`;

  it.each([100, 1_000, 30_000])(
    "at %i levels, is said so with what is allowed, and a short path",
    (count) => {
      const found = findingsOf(levels(count)).filter((line) => !line.includes("unknown key"));
      expect(found).toEqual([
        expect.stringMatching(/^fleet\.yaml:\d+:\d+: .*is nested too deeply; at most 100 levels are allowed/),
      ]);
      expect(found[0]!.length).toBeLessThan(200);
    },
  );
});

describe("after a fault of syntax", () => {
  it.each([
    "sets:\n\ta: {}\nsets:\n\tb: {}\n",
    "clusters: { a: {}, a: {} \n",
    "sets:\n  <<: 1\n  ? [a]\n  : 1\n  x: *y\n  z: ]\n",
    // The quote of one section ends in the next: what it holds is a guess as well.
    'flux: { version: "2.7 }\nconfig: "edge"\nclusters: {}\n',
  ])("nothing else is said of %j, which the parser only guesses", (text) => {
    const found = findingsOf(text);
    expect(found).not.toEqual([]);
    for (const line of found) expect(line).toMatch(/is not YAML|a tab is used as indentation/);
  });

  it("a file that is right, but cut off anywhere, is not said to lack what stood after", () => {
    const text = fleetText({
      top: [
        "config: edge",
        'sources: { infra: { kind: GitRepository, url: self, ref: { tag: "v1" } } }',
        "windows:",
        '  nightly: { open: "0 1 * * *", close: "0 4 * * *" }',
        "sets: { db: { path: ./db, source: infra }, pos: { window: nightly } }",
        "groups:",
        '  all: { match: {}, sets: { db: {}, pos: {} }, variables: { a: "b" } }',
        "stages: { prod: { branch: prod, pins: { infra: { tag: v2 } } } }",
        "removed: [old]",
      ].join("\n"),
      cluster: "stage: prod\nsets: { web: { dependsOn: [db] }, pos: null }",
    });
    expect(findingsOf(text)).toEqual([]);
    let broken = 0;
    for (let end = 1; end < text.length; end++) {
      const lines = findingsOf(text.slice(0, end));
      if (!lines.some((line) => /is not YAML/.test(line))) continue;
      broken++;
      expect(
        lines.filter((line) => !/is not YAML/.test(line)),
        text.slice(0, end),
      ).toEqual([]);
    }
    expect(broken).toBeGreaterThan(300);
  });

  it("what stands before the section with the fault is checked in the same go, and nothing is missed after it", () => {
    const text = [
      "apiVersion: arcflux/v2",
      "repository: { url: 5 }",
      "sets:",
      "  pos: { intervall: 5m, window: nightly }",
      "stages: {}",
      "clusters:",
      "  edge-0: { sets: { pos: {} }",
      "windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }",
      "",
    ].join("\n");
    expect(findingsOf(text).map((line) => line.split(";")[0])).toEqual([
      'fleet.yaml:1:13: apiVersion: "arcflux/v2" is not allowed',
      "fleet.yaml:2:20: repository.url: this value is not allowed",
      "fleet.yaml:4:10: sets.pos.intervall: unknown key",
      expect.stringMatching(/^fleet\.yaml:[78]:\d+: is not YAML/),
    ]);
  });
});
