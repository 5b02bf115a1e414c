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
    expect(cluster.err).toContain('"store-7" is not a cluster of the fleet file. Did you mean store-1?');
    const set = await run("explain store-1 poss");
    expect([set.code, set.out]).toEqual([2, ""]);
    expect(set.err).toBe('"poss" is not a set of store-1. Did you mean pos?\nSets there: pos, web\n');
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

  const sourced = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
sources:
  apps:
    kind: GitRepository
    url: https://git.example.com/edge/apps.git
    interval: 7m
    ref: { tag: v1 }
  own: { kind: GitRepository, url: self, interval: 9m }
windows:
  night: { open: 0 1 * * *, close: 0 4 * * *, timeZone: Europe/Berlin }
groups:
  stores:
    match: { kind: store }
    sets:
      pos: { source: apps, serviceAccountName: pos, path: ./pos, window: night }
      web: { source: own, path: ./web }
      old: { path: ./old }
clusters:
  store-1:
    labels: { kind: store }
    pins: { apps: { tag: v2 } }
    variables:
      long: ${"x".repeat(80)}
    sets:
      old: null
`;

  it("prints all of the sources and windows that the sets take", async () => {
    await save(sourced);
    const { code, out, err } = await run("explain store-1");
    expect([code, err]).toEqual([0, ""]);
    expect(cells(out).filter(([name]) => /^(sources|windows)\./.test(name!))).toEqual([
      ["sources.apps.kind", "GitRepository", "sources.apps", "fleet.yaml:7"],
      ["sources.apps.url", "https://git.example.com/edge/apps.git", "sources.apps", "fleet.yaml:8"],
      ["sources.apps.interval", "7m", "sources.apps", "fleet.yaml:9"],
      ["sources.apps.ref", '{"tag":"v2"}', "clusters.store-1", "fleet.yaml:24"],
      ["sources.own.kind", "GitRepository", "sources.own", "fleet.yaml:11"],
      ["sources.own.url", "https://git.example.com/edge/fleet.git", "repository", "fleet.yaml:2"],
      ["sources.own.interval", "9m", "sources.own", "fleet.yaml:11"],
      ["sources.own.ref", '{"branch":"main"}', "built in"],
      ["windows.night.spans", '["01:00-04:00 Europe/Berlin"]', "windows.night", "fleet.yaml:13"],
      ["windows.night.settle", "5m", "built in"],
      ["windows.night.pulses", '["*/10 1-3 * * * Europe/Berlin"]', "windows.night", "fleet.yaml:13"],
    ]);
  });

  it("says where a set was opted out, among the sets and when asked for it", async () => {
    await save(sourced);
    const row = ["sets.old", "null", "clusters.store-1.sets.old", "fleet.yaml:28"];
    expect(cells((await run("explain store-1")).out)).toContainEqual(row);
    const asked = await run("explain store-1 old");
    expect([asked.code, asked.err, cells(asked.out)]).toEqual([0, "", [row]]);
  });

  it("cuts wide values on a screen alone", async () => {
    await save(sourced);
    const long = (out: string) => cells(out).find(([name]) => name === "variables.long");
    expect(long((await run("explain store-1")).out)).toEqual([
      "variables.long",
      "x".repeat(80),
      "clusters.store-1",
      "fleet.yaml:26",
    ]);
    const screen = { node: ["--import", "data:text/javascript,process.stdout.isTTY=true"] };
    expect(long((await run("explain store-1", screen)).out)?.[1]).toBe(`${"x".repeat(47)}…`);
    expect((await run("explain store-1 --json", screen)).out).toContain(`"${"x".repeat(80)}"`);
  });
});
