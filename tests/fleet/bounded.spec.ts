import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { readFleet } from "../../fleet/readFleet.ts";
import { findingsOf, fleetText } from "./fixture.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe("what a fleet file may hold", () => {
  it("is 2,000 sets on one path, said once", () => {
    const sets = many(2_000, (i) => `s${i}: { path: ./one }`).join(", ");
    const found = findingsOf(fleetText({ cluster: `sets: { ${sets} }` }));
    expect(found).toEqual([
      expect.stringMatching(/sets\.s0\.path: is the path of s1, s10, s100 and 1996 more too/),
    ]);
  });

  it("is 50 tenants of one folder, each with a namespace of its own, of which nothing is said", () => {
    const sets = many(50, (i) => `t${i}: { path: ./tenant, targetNamespace: t${i} }`).join(", ");
    expect(findingsOf(fleetText({ cluster: `sets: { ${sets} }` }))).toEqual([]);
  });

  it("is 2,000 sets that all wait for one that is misspelt, said once", () => {
    const sets = many(2_000, (i) => `s${i}: { dependsOn: [basse] }`).join(", ");
    const text = fleetText({ cluster: `sets: { base: {}, ${sets} }` });
    const found = findingsOf(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/Did you mean base\?.*\(edge-0\/s0, edge-0\/s1, edge-0\/s2 and 1997 more\)$/);
  });

  it.each([
    [
      "a path of 100,000 dots",
      'sets: { a: { path: "' + ".".repeat(100_000) + 'x" } }',
      /is longer than 4096 bytes/,
    ],
    ["a name of 100,000 dots", 'sets: { "' + "a.".repeat(50_000) + '": {} }', /a set name has 1 to 63/],
    ["a label of 100,000 dots", 'labels: { "' + "a.".repeat(50_000) + '/": x }', /a key has 1 to 63/],
  ])("is %s", (_, cluster, expected) => {
    const found = findingsOf(fleetText({ cluster }));
    expect(found.join("\n")).toMatch(expected);
  });

  it("is a schedule with 200,000 minutes", () => {
    const top = `windows: { w: { open: "${many(200_000, () => "1").join(",")} 1 * * *", close: 0 4 * * * } }`;
    const { findings } = loadFleet(fleetText({ top }), "fleet.yaml");
    expect(findings.map(formatFinding).join("\n")).toMatch(/windows\.w\.open: .*more than 1000 characters/);
  });
});

describe("a pattern of include", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "arcflux-include-"));
    const deep = join(folder, ...many(12, () => "a"));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "store.yaml"), "clusters: {}\n");
    for (const i of many(12, (i) => i)) symlinkSync(".", join(folder, `link${i}`));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    [`${many(10, () => "**/a").join("/")}/**/*.yaml`, /^$/],
    [`${many(9, () => "*").join("/")}/none.yaml`, /matches no file/],
  ])("%s ends", async (pattern, expected) => {
    const text = fleetText().replace("clusters:", `include: ["${pattern}"]\nclusters:`);
    writeFileSync(join(folder, "fleet.yaml"), text);
    const { findings } = await readFleet(join(folder, "fleet.yaml"));
    expect(findings.map(({ message }) => message).join()).toMatch(expected);
  });
});
