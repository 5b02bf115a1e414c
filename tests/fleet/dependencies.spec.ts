import { describe, expect, it } from "vitest";
import { dependencyLoops } from "../../fleet/dependencyLoops.ts";
import { findingsOf, fleetText } from "./fixture.ts";

const sets = (graph: Record<string, string[]>) =>
  `sets: ${JSON.stringify(Object.fromEntries(Object.entries(graph).map(([name, dependsOn]) => [name, { dependsOn }])))}`;
const findings = (graph: Record<string, string[]>) => findingsOf(fleetText({ cluster: sets(graph) }));
const chain = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, i > 0 ? [`s${i - 1}`] : []]));

describe("dependencies among sets (A14, A15)", () => {
  it("never flags an acyclic graph", () => {
    expect(findings({ ...chain, a: ["s3", "s19"], b: ["a", "s3"], c: ["a", "b"] })).toEqual([]);
  });

  it.each([
    [{ a: ["a"] }, ["a -> a"]],
    [{ b: ["a"], a: ["b"] }, ["a -> b -> a"]],
    [{ ...chain, c: ["a", "s1"], a: ["b"], b: ["c", "s2"] }, ["a -> b -> c -> a"]],
    [{ a: ["b"], b: ["a"], x: ["y"], y: ["x"], z: ["a", "x"] }, ["a -> b -> a", "x -> y -> x"]],
  ])("prints each loop closed: %j", (graph: Record<string, string[]>, loops: string[]) => {
    const found = findings(graph);
    expect(found).toHaveLength(loops.length);
    for (const [index, loop] of loops.entries()) expect(found[index]).toContain(`closes the loop ${loop},`);
  });

  it("names a set that is not there, with the one that may have been meant", () => {
    expect(findings({ database: [], app: ["datbase"] })).toEqual([
      expect.stringMatching(
        /sets\.app\.dependsOn\[0\]: depends on "datbase", which is not a set there;.*Did you mean database\?/,
      ),
    ]);
  });

  it("knows a set that was opted out of, and one named twice", () => {
    expect(
      findingsOf(fleetText({ top: "sets: { a: {} }", cluster: "sets: { a: null, b: { dependsOn: [a] } }" })),
    ).toEqual([expect.stringContaining("which is opted out there")]);
    expect(findings({ a: [], b: ["a", "a"] })).toEqual([expect.stringContaining('"a" is listed twice')]);
  });

  it("reports a shared set's fault once, at the shared set, with the clusters", () => {
    const others = ["edge-1", "edge-2", "edge-3", "edge-4"].map(
      (name) => `  ${name}: { agents: present, sets: { pos: {} } }\n`,
    );
    const text =
      fleetText({ top: "sets: { pos: { dependsOn: [db] } }", cluster: "sets: { pos: {} }" }) +
      others.join("");
    expect(findingsOf(text)).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:4:28: sets\.pos\.dependsOn\[0\]: .*\(on edge-0, edge-1, edge-2 and 2 more\)$/,
      ),
    ]);
  });

  it("keeps positions right beside an entry that is no text", () => {
    expect(
      findingsOf(fleetText({ cluster: "sets: { a: { dependsOn: [5, zz] } }" })).map(
        (line) => line.split(": ")[1],
      ),
    ).toEqual(["clusters.edge-0.sets.a.dependsOn[0]", "clusters.edge-0.sets.a.dependsOn[1]"]);
  });

  it("copes with a chain longer than the call stack", () => {
    const long = Array.from({ length: 50_000 }, (_, i) => ({
      name: `s${i}`,
      dependsOn: [`s${(i + 1) % 50_000}`],
    }));
    expect(dependencyLoops(long)[0]).toHaveLength(50_001);
    expect(dependencyLoops(long.slice(0, -1))).toEqual([]);
  });
});
