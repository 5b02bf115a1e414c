import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findingsOf, mustLoad } from "./fixture.ts";

const text = (stages: string, clusters: Readonly<Record<string, string>>, top = "") =>
  [
    "apiVersion: arcflux/v1",
    "platform: kubernetes",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    top,
    `stages: { ${stages} }`,
    "clusters:",
    ...Object.entries(clusters).map(
      ([name, more]) => `  ${name}: { kubeconfig: { context: ${name} }, ${more} }`,
    ),
    "",
  ].join("\n");

const rings =
  "rings: [{ name: first, match: { ring: first }, soak: 2h, maxFailed: 1 }, { name: early, share: 30%, soak: 24h }, { name: rest, share: 100% }]";

describe("rings of a stage", () => {
  it("are stages one after the other, of which the last has the branch of the stage", () => {
    const fleet = mustLoad(
      text(
        `test: { branch: test }, prod: { branch: prod, after: test, soak: 1h, checks: [scan], approval: pullRequest, ready: { share: 80% }, ${rings} }, after: { branch: after, after: prod }`,
        {
          "a-1": "stage: prod, labels: { ring: first }",
        },
      ).replace("share: 30%", "share: 0%"),
    );
    expect(
      fleet.stages.map(({ name, branch, after, soak, checks, approval }) => ({
        name,
        branch,
        after,
        soak,
        checks,
        approval,
      })),
    ).toEqual([
      { name: "test", branch: "test", after: undefined, soak: 0, checks: [], approval: undefined },
      {
        name: "prod/first",
        branch: "prod-first",
        after: "test",
        soak: 3600,
        checks: ["scan"],
        approval: "pullRequest",
      },
      {
        name: "prod/early",
        branch: "prod-early",
        after: "prod/first",
        soak: 7200,
        checks: [],
        approval: undefined,
      },
      { name: "prod", branch: "prod", after: "prod/early", soak: 86400, checks: [], approval: undefined },
      { name: "after", branch: "after", after: "prod", soak: 0, checks: [], approval: undefined },
    ]);
    expect(fleet.clusters[0]).toMatchObject({
      stage: "prod",
      ring: "first",
      follows: "prod-first",
      promotedFrom: { stage: "test", branch: "test" },
      ready: { share: 80, failing: 1 },
    });
  });

  it("take a share by names alone, so that a cluster stays where it is whoever comes or goes", () => {
    const ringsOf = (names: readonly string[]) =>
      new Map(
        mustLoad(
          text(
            `prod: { branch: prod, ${rings} }`,
            Object.fromEntries(names.map((name) => [name, "stage: prod"])),
          ),
        ).clusters.map(({ name, ring }) => [name, ring]),
      );
    const names = Array.from({ length: 400 }, (_, index) => `store-${index}`);
    const all = ringsOf(names);
    const early = [...all.values()].filter((ring) => ring === "early").length;
    // 30 % of 400 is 120, with a standard deviation of 9.
    expect(early).toBeGreaterThan(80);
    expect(early).toBeLessThan(160);
    fc.assert(
      fc.property(fc.subarray(names, { minLength: 1 }), (some) => {
        for (const [name, ring] of ringsOf(some)) expect(ring).toBe(all.get(name));
      }),
      { numRuns: 3 },
    );
  });

  it("have pins after stage and groups, before the cluster's own", () => {
    const pinsOf = (cluster: string, ring: string) =>
      mustLoad(
        text(
          `prod: { pins: { infra: { tag: stage } }, rings: [{ name: first, share: 100%, pins: ${ring} }] }`,
          { "a-1": `stage: prod, sets: { infra: { source: infra } }, ${cluster}` },
          "sources: { infra: { kind: GitRepository, url: self, interval: 10m } }\ngroups: { all: { match: {}, pins: { infra: { tag: group } } } }",
        ),
      ).clusters[0]?.sources[0]?.spec["ref"];
    expect(pinsOf("labels: {}", "{}")).toEqual({ tag: "group" });
    expect(pinsOf("labels: {}", "{ infra: { tag: ring } }")).toEqual({ tag: "ring" });
    expect(pinsOf("pins: { infra: { tag: own } }", "{ infra: { tag: ring } }")).toEqual({ tag: "own" });
  });

  it("are for pins alone where the stage follows the branch of updates", () => {
    const fleet = mustLoad(text(`prod: { ${rings} }`, { "a-1": "stage: prod, labels: { ring: first }" }));
    expect([fleet.stages.map(({ name }) => name), fleet.clusters[0]?.follows]).toEqual([["prod"], "main"]);
  });

  it("hold each cluster once, and nothing else moves their branches", () => {
    const found = findingsOf(
      text(
        "prod: { branch: prod, rings: [{ name: a, match: { kind: shop } }, { name: b, match: { size: big } }, { name: b, match: { none: none }, share: 5% }] }, other: { branch: prod-a }",
        { "s-1": "stage: prod, labels: { kind: shop, size: big }", "s-2": "stage: prod" },
      ),
    );
    expect(found).toEqual([
      expect.stringMatching(/stages\.prod\.rings\[2\].*has neither or both; write one of match and share/),
    ]);
    const others = findingsOf(
      text(
        "prod: { branch: prod, rings: [{ name: a, match: { kind: shop } }, { name: b, match: { size: big } }, { name: b, match: { none: none } }] }, other: { branch: prod-a }",
        { "s-1": "stage: prod, labels: { kind: shop, size: big }", "s-2": "stage: prod" },
      ),
    );
    expect(others.map((line) => line.replace(/^[^ ]+ (warning: )?/, ""))).toEqual([
      "stages.prod.rings: takes no ring for s-2; match them, or end with a ring of share: 100%",
      "stages.prod.rings: a and b both match s-1; a cluster is in one ring, so match by other labels",
      expect.stringMatching(/rings\[1\]: has no cluster/),
      expect.stringMatching(/rings\[2\]: has no cluster/),
      'stages.prod.rings[2].name: "b" is another ring\'s name too; give it one of its own',
      "stages.other.branch: is the branch of a ring of prod, and a promotion would move both; give each its own",
    ]);
  });
});
