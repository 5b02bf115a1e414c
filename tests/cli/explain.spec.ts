import { describe, expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const { save, run } = workFolder();

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
include: [stores/*.yaml]
defaults: { interval: 20m }
sets:
  pos: { path: ./apps/pos, timeout: 3m }
groups:
  stores:
    match: { kind: store }
    sets:
      pos:
        timeout: 4m
clusters: {}
`;
const stores = `clusters:
  store-1:
    labels: { kind: store }
    variables:
      site_code: 0042
    sets:
      pos: { retryInterval: 1m }
      web: {}
`;

describe("arcflux explain", () => {
  const cells = (out: string) =>
    out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));

  it("prints the values of a set, each with what states it, in file and line", async () => {
    await save(fleet);
    await save(stores, "stores/one.yaml");
    const { code, out, err } = await run("explain store-1 pos");
    expect([code, err]).toEqual([0, ""]);
    const rows = cells(out);
    expect(rows.every(([path]) => path!.startsWith("sets.pos."))).toBe(true);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["sets.pos.path", "./apps/pos", "sets.pos", "fleet.yaml:8"],
        ["sets.pos.interval", "20m", "defaults", "fleet.yaml:6"],
        ["sets.pos.timeout", "4m", "groups.stores.sets.pos", "fleet.yaml:14"],
        ["sets.pos.retryInterval", "1m", "clusters.store-1.sets.pos", "stores/one.yaml:7"],
        ["sets.pos.prune", "true", "built in"],
        ["sets.pos.postBuild.substitute.site_code", "0042", "clusters.store-1", "stores/one.yaml:5"],
      ]),
    );
  });

  it("prints all of a cluster, and the same as JSON", async () => {
    await save(fleet);
    await save(stores, "stores/one.yaml");
    const { out } = await run("explain store-1");
    expect(cells(out)).toEqual(
      expect.arrayContaining([
        ["labels.kind", "store", "clusters.store-1", "stores/one.yaml:3"],
        ["flux.version", "2.7", "built in"],
        ["arc.location", "westeurope", "arc", "fleet.yaml:3"],
        ["sets.web.path", "./clusters/store-1/sets/web", "built in"],
      ]),
    );
    const json = await run("explain store-1 pos --json --file fleet.yaml");
    const document = JSON.parse(json.out) as { values: { path: string }[] };
    expect([json.code, json.err]).toEqual([0, ""]);
    expect(document).toMatchObject({ cluster: "store-1", set: "pos", findings: [] });
    expect(document.values.find(({ path }) => path === "sets.pos.timeout")).toEqual({
      path: "sets.pos.timeout",
      value: "4m",
      layer: "groups.stores.sets.pos",
      file: "fleet.yaml",
      line: 14,
      column: expect.any(Number) as number,
    });
  });

  it("names a cluster or a set that is not there, with the nearest one", async () => {
    await save(fleet);
    await save(stores, "stores/one.yaml");
    const cluster = await run("explain store-7");
    expect([cluster.code, cluster.out]).toEqual([2, ""]);
    expect(cluster.err).toContain('"store-7" is no cluster of the fleet file. Did you mean store-1?');
    const set = await run("explain store-1 poss");
    expect([set.code, set.out]).toEqual([2, ""]);
    expect(set.err).toBe('"poss" is no set of store-1. Did you mean pos?\nSets there: pos, web\n');
    const json = await run("explain store-1 poss --json");
    expect([json.code, json.err]).toEqual([2, ""]);
    expect(JSON.parse(json.out)).toMatchObject({
      values: [],
      error: expect.stringContaining("poss") as string,
    });
  });

  it("explains nothing of a fleet file with errors, and names the included file in them", async () => {
    await save(fleet);
    await save(stores.replace("retryInterval: 1m", "retryInterval: 1d"), "stores/one.yaml");
    const { code, out, err } = await run("explain store-1");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^stores\/one\.yaml:7:29: /);
  });
});
