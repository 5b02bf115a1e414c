import { describe, expect, it } from "vitest";
import { explainCluster } from "../../fleet/explain.ts";
import { ownPatches } from "../../fleet/idle.ts";
import { loadFleet } from "../../fleet/load.ts";

const load = (rest: string) =>
  loadFleet(
    `apiVersion: arcflux/v1
repository: { url: https://git.example.com/shop/fleet.git }
arc: { resourceGroup: rg-shop, location: westeurope }
agents: present
sets:
  base: { path: ./base, idle: false }
  shop: { path: ./apps/shop }
  jobs: { path: ./apps/jobs, patches: [{ patch: "[]", target: { kind: Job } }] }
groups:
  all: { match: { app: shop }, sets: { base: {}, shop: {}, jobs: {} } }
  standby: { match: { traffic: "false" }, idle: true }
${rest}`,
    "fleet.yaml",
  );
const cluster = (rest: string, over = "") =>
  load(`clusters:\n  blue: { labels: { app: shop, traffic: "false" }${over} }\n${rest}`);
const said = ({ findings }: ReturnType<typeof load>): string[] =>
  findings.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

describe("idle", () => {
  it("is what stage, group and cluster say, but for a set that says it itself", () => {
    const loaded = load(`clusters:
  blue: { labels: { app: shop, traffic: "false" } }
  green: { labels: { app: shop, traffic: "true" } }
  lifted: { labels: { app: shop, traffic: "false" }, idle: false }
  one: { labels: { app: shop }, sets: { jobs: { idle: true } } }`);
    const idle = loaded.fleet?.clusters.map(({ name, idle, sets }) => [
      name,
      idle,
      sets.filter((set) => set.idle).map((set) => set.name),
    ]);
    expect(idle).toEqual([
      ["blue", true, ["jobs", "shop"]],
      ["green", undefined, []],
      ["lifted", undefined, []],
      ["one", undefined, ["jobs"]],
    ]);
    expect(said(loaded)).toEqual([]);
  });

  it("warns where a cluster's own line outweighs the group or stage that says false", () => {
    const rest = `  active: { match: { traffic: "true" }, idle: false }
clusters:
  blue: { labels: { traffic: "true" }, idle: true }
  green: { labels: { traffic: "true" }, idle: true }
  stands: { labels: { traffic: "false" }, idle: true }
  runs: { labels: { traffic: "true" } }`;
    expect(said(load(rest)).filter((line) => line.includes("idle"))).toEqual([
      "warning groups.active.idle: is false, and idle: true on the cluster itself outweighs it; take that line out for this one to count (on blue, green)",
    ]);
  });

  it("comes after the patches of the set, which explain shows alone, with where idle stands", () => {
    const loaded = cluster("");
    const jobs = loaded.fleet?.clusters[0]?.sets.find(({ name }) => name === "jobs");
    const own = [{ patch: "[]", target: { kind: "Job" } }];
    expect(jobs?.spec["patches"]).toHaveLength(own.length + 4);
    expect(ownPatches(jobs!)).toEqual(own);
    const rows = explainCluster(loaded, "blue") ?? [];
    const row = (path: string) => rows.find((each) => each.path === path);
    expect(row("idle")).toMatchObject({ value: true, layer: "groups.standby", line: 11 });
    expect(row("sets.base.idle")).toMatchObject({ value: false, layer: "sets.base", line: 6 });
    expect(row("sets.shop.idle")).toMatchObject({ value: true, layer: "groups.standby", line: 11 });
    expect(row("sets.jobs.patches")).toMatchObject({ value: own, layer: "sets.jobs" });
    expect(row("sets.shop.patches")).toBeUndefined();
  });

  it("leaves a uniform set uniform", () => {
    const text = (patches: string) =>
      loadFleet(
        `apiVersion: arcflux/v1
repository: { url: https://git.example.com/shop/fleet.git }
arc: { resourceGroup: rg-shop, location: westeurope }
agents: present
sets: { shop: { path: ./apps/shop, uniform: true } }
clusters:
  blue: { idle: true, sets: { shop: {} } }
  green: { sets: { shop: {${patches}} } }`,
        "fleet.yaml",
      );
    expect(said(text(""))).toEqual([]);
    expect(said(text(' patches: [{ patch: "[]", target: { kind: Job } }] '))).toEqual([
      expect.stringContaining("differs in patches of set shop"),
    ]);
  });

  it("is refused where Flux would leave the field alone, and doubted where it does nothing", () => {
    const ignored =
      ", flux: { version: '2.9' }, sets: { shop: { ignore: [{ paths: [/metadata, /spec/replicas] }] } }";
    expect(said(cluster("", ignored))).toEqual([
      "error clusters.blue.sets.shop.ignore[0]: has Flux leave /spec/replicas alone, so idle could not stop shop; take it out, or write idle: false for the set",
    ]);
    expect(said(cluster("", ", sets: { shop: { suspend: { reason: INC-1 } } }"))).toEqual([
      expect.stringMatching(
        /^warning clusters\.blue\.sets\.shop\.suspend: suspends the set \(INC-1\), so Flux/,
      ),
    ]);
  });
});
