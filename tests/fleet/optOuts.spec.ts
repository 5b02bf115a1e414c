import { describe, expect, it } from "vitest";
import { findingsOf, fleetText } from "./fixture.ts";

const top = `sets: { shared: {} }
groups: { other: { match: {}, sets: { pos: {} }, apps: { web: {} } } }`;
const problems = (cluster: string) => findingsOf(fleetText({ top, cluster }));

describe("an opt-out", () => {
  it("of a set or app that nothing gives is warned of, with the name that was probably meant", () => {
    expect(problems("sets: { poss: null }")).toEqual([
      'fleet.yaml:9:13: warning: clusters.edge-0.sets.poss: opts out of the set "poss", which nothing gives; correct the name or drop the line. Did you mean pos?',
    ]);
    expect(problems("apps: { wbe: null }")).toEqual([
      'fleet.yaml:9:13: warning: clusters.edge-0.apps.wbe: opts out of the app "wbe", which nothing gives; correct the name or drop the line. Did you mean web?',
    ]);
  });

  it.each([
    "sets: { pos: null }",
    "sets: { shared: null }",
    "apps: { web: null }",
    "sets: { apps-base: null }\napps: { web: null }",
  ])("is fine in %s", (cluster) => {
    expect(problems(cluster)).toEqual([]);
  });

  it("of a set that is given but faulty is no fault more", () => {
    const text = fleetText({
      top: "stages: { prod: { apps: { web: 5 } } }",
      cluster: "stage: prod\napps: { web: null }",
    });
    expect(findingsOf(text)).toEqual([expect.stringContaining("stages.prod.apps.web: ")]);
  });
});
