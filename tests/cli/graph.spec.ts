import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fleetText } from "../fleet/fixture.ts";
import { twoClusters, workFolder } from "./workFolder.ts";

const { save, run } = workFolder();
const windowed = fleetText({
  top: 'windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *" } }',
  cluster: "sets: { infra: {}, pos: { dependsOn: [infra], window: nightly } }",
});

describe("arcflux graph", () => {
  it("draws one cluster for Mermaid: each set, source and window once, each need as an arrow", async () => {
    await save(windowed);
    const { code, out, err } = await run("graph");
    expect([code, err]).toEqual([0, ""]);
    const nodes = new Map([...out.matchAll(/^ {2}(\w+)\W+"([^"]+)"/gm)].map(([, id, label]) => [id, label]));
    expect([...nodes.values()].sort()).toEqual([
      "GitRepository edge-config",
      "infra",
      "pos",
      "window nightly",
    ]);
    const arrows = [...out.matchAll(/^ {2}(\w+) (\S+) (\w+)$/gm)].map(
      ([, from, arrow, to]) => `${nodes.get(from)} ${arrow} ${nodes.get(to)}`,
    );
    expect(arrows).toContain("pos --> infra");
    expect(arrows).toHaveLength(4);
    expect(out.startsWith("flowchart ")).toBe(true);
  });

  it("wants one cluster for Mermaid, and takes several for dot and JSON", async () => {
    await save(twoClusters);
    const several = await run("graph");
    expect([several.code, several.out]).toEqual([2, ""]);
    expect(several.err).toContain("--cluster edge-0");
    expect((await run("graph --cluster edge-1")).code).toBe(0);
    const dot = await run("graph --format dot");
    expect([dot.code, dot.out.match(/^digraph "[^"]+" {$/gm)]).toEqual([
      0,
      ['digraph "edge-0" {', 'digraph "edge-1" {'],
    ]);
    const json = await run("graph --format json");
    const { graphs, findings } = JSON.parse(json.out) as {
      graphs: { cluster: string }[];
      findings: unknown[];
    };
    expect([graphs.map(({ cluster }) => cluster), findings]).toEqual([["edge-0", "edge-1"], []]);
    expect((await run("graph --json")).out).toBe(json.out);
  });

  it("names a cluster that is not there, and draws nothing of a fleet file with errors", async () => {
    await save(twoClusters);
    const none = await run("graph --cluster edge-9");
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('"edge-9" is not a cluster')]);
    await save(fleetText({ cluster: "sets: { a: { dependsOn: [b] }, b: { dependsOn: [a] } }" }));
    const loop = await run("graph --json");
    expect([loop.code, loop.err]).toEqual([2, ""]);
    expect(JSON.parse(loop.out)).toMatchObject({ graphs: [], findings: [{ severity: "error" }] });
  });
});

describe("arcflux schema", () => {
  it("prints the JSON Schema of the fleet file, with and without --json", async () => {
    const { code, out, err } = await run("schema");
    expect([code, err]).toEqual([0, ""]);
    const valid = new Ajv2020({ strict: false }).compile(JSON.parse(out) as object);
    const fleet = {
      apiVersion: "arcflux/v1",
      repository: { url: "https://git.example.com/a.git" },
      clusters: {},
    };
    expect([valid(fleet), valid({ ...fleet, cluster: {} })]).toEqual([true, false]);
    expect((await run("schema --json")).out).toBe(out);
  });
});
