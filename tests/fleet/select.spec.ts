import { describe, expect, it } from "vitest";
import { selectClusters, SelectionError, type Selection } from "../../fleet/select.ts";
import { fleetText, mustLoad } from "./fixture.ts";

const fleet = mustLoad(
  `${fleetText({ cluster: "labels: { kind: store, ring: canary }" })}  edge-1: { agents: present, labels: { kind: store } }
  lab: { agents: present, stage: prod }
`.replace("clusters:", "stages: { prod: {} }\nclusters:"),
);
const select = (selection: Selection) => selectClusters(fleet, selection).map(({ name }) => name);

describe("selecting clusters", () => {
  it.each<[Selection, string[]]>([
    [{}, ["edge-0", "edge-1", "lab"]],
    [{ names: ["lab", "edge-0", "lab"] }, ["edge-0", "lab"]],
    [{ labels: { kind: "store" } }, ["edge-0", "edge-1"]],
    [{ labels: { kind: "store", ring: "canary" } }, ["edge-0"]],
    [{ names: ["edge-1", "lab"], labels: { kind: "store" } }, ["edge-1"]],
    [{ labels: { stage: "prod" } }, ["lab"]],
    [{ without: ["edge-1"] }, ["edge-0", "lab"]],
    [{ without: ["ring"] }, ["edge-1", "lab"]],
    [{ labels: { kind: "store" }, withoutLabels: [["ring", "canary"]] }, ["edge-1"]],
  ])("%j gives %j", (selection, names) => {
    expect(select(selection)).toEqual(names);
  });

  it("names every unknown cluster, and the ones there are", () => {
    expect(() => select({ names: ["edge-O", "lab", "x"] })).toThrow(SelectionError);
    expect(() => select({ names: ["edge-O", "lab", "x"] })).toThrow(
      /"edge-O" is not a cluster.*Did you mean edge-0\?\n"x" is not a cluster.*\nClusters there: edge-0, edge-1, lab$/,
    );
  });

  it.each<Selection>([
    { names: [] },
    { labels: { kind: "depot" } },
    { labels: { toString: "" } },
    { names: ["lab"], labels: { kind: "store" } },
  ])("%j matches nothing, which is an error", (selection) => {
    expect(() => select(selection)).toThrow(/No cluster is selected/);
  });
});
