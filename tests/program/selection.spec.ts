import { describe, expect, it } from "vitest";

import { parseSelection } from "../../program/selection.ts";

describe("stack config arcflux:clusters", () => {
  it.each([
    ["edge-1,edge-2", { names: ["edge-1", "edge-2"] }],
    [" edge-1 , edge-2 ", { names: ["edge-1", "edge-2"] }],
    [`["edge-1"]`, { names: ["edge-1"] }],
    ["kind=store,ring=canary", { labels: { kind: "store", ring: "canary" } }],
    ["kind=", { labels: { kind: "" } }],
    [`{"kind":"store"}`, { labels: { kind: "store" } }],
    [
      "stage=prod,!edge-3,!ring=canary",
      { labels: { stage: "prod" }, without: ["edge-3"], withoutLabels: [["ring", "canary"]] },
    ],
    [`["!edge-3"]`, { without: ["edge-3"] }],
  ])("%s is understood", (text, selection) => {
    expect(parseSelection(text)).toEqual(selection);
  });

  it.each([
    "",
    ",",
    "edge-1,",
    "a=b,c",
    "kind=a,kind=b",
    "=b",
    "!",
    "!!a",
    "a=b=c",
    "[]",
    "{}",
    "[1]",
    `{"a":1}`,
    "{nonsense",
  ])("'%s' is refused, with the two forms that are allowed", (text) => {
    expect(() => parseSelection(text)).toThrow(/arcflux:clusters is '.*edge-1,edge-2 or labels/s);
  });
});
