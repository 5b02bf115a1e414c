import { describe, expect, it } from "vitest";
import { findingsOf, mustLoad } from "./fixture.ts";

const fleet = (clusters: Readonly<Record<string, string>>, own = "uniform: true"): string =>
  [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "agents: present",
    "sources: { infra: { kind: GitRepository, url: self, ref: { tag: v1 } } }",
    `sets: { base: { path: ./infra, source: infra, ${own} } }`,
    "stages: { dev: { branch: dev }, prod: { branch: prod } }",
    "clusters:",
    ...Object.entries(clusters).map(([name, entry]) => `  ${name}: { ${entry} }`),
    "",
  ].join("\n");

const alike = {
  "store-1": "stage: prod, variables: { site: one }, sets: { base: {} }",
  "store-2": "stage: prod, sets: { base: { suspend: { reason: INC-1 } } }",
};

describe("sets.<name>.uniform", () => {
  it("lets variables, suspensions and whole stages differ, and is no field of the set", () => {
    const dev = { "lab-1": "stage: dev, pins: { infra: { tag: v2 } }, sets: { base: {} }" };
    const text = fleet({ ...alike, ...dev });
    expect(findingsOf(text)).toEqual([]);
    expect(mustLoad(text).clusters[0]!.sets[0]!.spec).not.toHaveProperty("uniform");
    expect(findingsOf(fleet({ ...alike, other: "stage: dev" }))).toEqual([]);
  });

  it.each([
    ["narrows it", "sets: { base: { path: ./infra/small } }", "sets.base.path", "path"],
    ["patches it", 'sets: { base: { patches: [{ patch: "a: 1" }] } }', "sets.base.patches", "patches"],
    ["pins it elsewhere", "sets: { base: {} }, pins: { infra: { tag: v2 } }", "pins.infra", "pin"],
    [
      "waits for more",
      "sets: { base: { dependsOn: [{ name: x, external: true }] } }",
      "sets.base.dependsOn",
      "dependsOn",
    ],
  ])("is an error of a cluster that %s", (_, entry, path, field) => {
    expect(findingsOf(fleet({ ...alike, "store-3": `stage: prod, ${entry}` }))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^fleet\\.yaml:\\d+:\\d+: clusters\\.store-3\\.${path}: differs in ${field} of set base: 2 others of stage prod have it alike, and sets\\.base is uniform: only variables may differ; make it the same, or drop uniform$`,
        ),
      ),
    ]);
    expect(findingsOf(fleet({ ...alike, "store-3": `stage: prod, ${entry}` }, "prune: true"))).toEqual([]);
  });

  it("lets a ring be ahead of the next one, and no cluster of it", () => {
    const rings = (own: string) =>
      fleet({
        ...alike,
        "store-3": `stage: prod, labels: { ring: first }, sets: { base: {} }${own}`,
      }).replace(
        "prod: { branch: prod }",
        "prod: { branch: prod, rings: [{ name: first, match: { ring: first }, pins: { infra: { tag: v2 } } }, { name: rest, share: 100% }] }",
      );
    expect(findingsOf(rings(""))).toEqual([]);
    const two = rings("").replace(
      /\n$/,
      "\n  store-4: { stage: prod, labels: { ring: first }, sets: { base: {} }, pins: { infra: { tag: v3 } } }\n",
    );
    expect(findingsOf(two)).toEqual([
      expect.stringMatching(
        /clusters\.store-4\.pins\.infra: differs in pin of set base: 1 other of stage prod\/first/,
      ),
    ]);
  });

  it("stands in the shared set alone", () => {
    expect(
      findingsOf(fleet({ "store-1": "stage: prod, sets: { base: { uniform: true } }" }, "prune: true")),
    ).toEqual([
      "fleet.yaml:9:43: clusters.store-1.sets.base.uniform: stands where one layer takes the set; write it in sets.base, for all clusters",
    ]);
  });

  it("is an error of a cluster that lacks it, unless that leaves the fleet", () => {
    expect(findingsOf(fleet({ ...alike, "store-3": "stage: prod" }))).toEqual([
      "fleet.yaml:11:3: clusters.store-3: does not take base, which others of stage prod do, and sets.base is uniform; take it, or drop uniform",
    ]);
    expect(findingsOf(fleet({ ...alike, "store-3": "stage: prod, lifecycle: retired" }))).toEqual([]);
  });
});
