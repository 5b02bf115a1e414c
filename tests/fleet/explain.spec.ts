import { describe, expect, it } from "vitest";
import { explainCluster } from "../../fleet/explain.ts";
import { loadFleet } from "../../fleet/load.ts";

const text = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
include: [shared.yaml]
sources: { infra: { kind: GitRepository, url: self } }
defaults: { interval: 15m }
stages:
  prod: { branch: prod, pins: { infra: { tag: v1 } }, variables: { level: warn } }
groups:
  canary: { match: { ring: canary }, sets: { pos: { timeout: null, labels: { tier: a } } } }
clusters:
  edge-0:
    stage: prod
    labels: { ring: canary }
    variables: { site: 0042 }
    sets:
      pos: { labels: { owner: me } }
  edge-1: {}
`;
const shared = "sets:\n  pos: { path: ./apps/pos, source: infra, wait: false }\n";
const loaded = loadFleet(text, "fleet.yaml", { include: () => [{ file: "shared.yaml", text: shared }] });

/** Rows as text: path = value, layer, place. */
const rows = (cluster: string, set?: string) =>
  explainCluster(loaded, cluster, set)?.map(
    ({ path, value, layer, file, line, column }) =>
      `${path} = ${JSON.stringify(value)}: ${layer}${file === undefined ? "" : ` at ${file}:${line}:${column}`}`,
  );

describe("explaining a cluster", () => {
  it("says of every value of a set where it comes from, included files among it", () => {
    expect([...rows("edge-0", "pos")!].sort()).toEqual(
      [
        'sets.pos.path = "./apps/pos": sets.pos at shared.yaml:2:16',
        'sets.pos.sourceRef = {"kind":"GitRepository","name":"infra"}: sets.pos at shared.yaml:2:36',
        'sets.pos.interval = "15m": defaults at fleet.yaml:7:23',
        'sets.pos.retryInterval = "2m": built in',
        "sets.pos.timeout = null: groups.canary.sets.pos at fleet.yaml:11:62",
        "sets.pos.prune = true: built in",
        "sets.pos.wait = false: sets.pos at shared.yaml:2:49",
        'sets.pos.labels.tier = "a": groups.canary.sets.pos at fleet.yaml:11:84',
        'sets.pos.labels.owner = "me": clusters.edge-0.sets.pos at fleet.yaml:18:31',
        'sets.pos.postBuild.substitute.arcflux_cluster = "edge-0": built in',
        'sets.pos.postBuild.substitute.arcflux_stage = "prod": built in',
        'sets.pos.postBuild.substitute.level = "warn": stages.prod at fleet.yaml:9:75',
        'sets.pos.postBuild.substitute.site = "0042": clusters.edge-0 at fleet.yaml:16:24',
      ].sort(),
    );
  });

  it("says it of the cluster as well", () => {
    expect(rows("edge-0")).toEqual(
      expect.arrayContaining([
        'stage = "prod": clusters.edge-0 at fleet.yaml:14:12',
        'follows = "prod": stages.prod at fleet.yaml:9:19',
        'agents = "present": agents at fleet.yaml:4:9',
        'flux.version = "2.7": built in',
        'arc.location = "westeurope": arc at fleet.yaml:3:42',
        'variables.level = "warn": stages.prod at fleet.yaml:9:75',
        'sources.infra.ref = {"tag":"v1"}: stages.prod at fleet.yaml:9:40',
        'sets.pos.interval = "15m": defaults at fleet.yaml:7:23',
      ]),
    );
  });

  it("knows neither other clusters nor other sets, and nothing where there is no fleet", () => {
    expect(rows("edge-2")).toBeUndefined();
    expect(rows("edge-1", "pos")).toBeUndefined();
    expect(explainCluster(loadFleet("", "fleet.yaml"), "edge-0")).toBeUndefined();
  });
});

describe("a finding at a path of the resolved fleet", () => {
  it.each([
    [["clusters", "edge-0", "sets", "pos", "path"], "shared.yaml", 2, 16],
    [["clusters", "edge-0", "sets", "pos", "postBuild", "substitute", "level"], "fleet.yaml", 9, 75],
    [["clusters", "edge-0", "sets", "pos"], "fleet.yaml", 18, 12],
    [["clusters", "edge-0", "variables", "level"], "fleet.yaml", 9, 75],
    [["clusters", "edge-1"], "fleet.yaml", 19, 11],
    [["repository", "url"], "fleet.yaml", 2, 20],
  ])("%j stands at the layer it comes from", (path, file, line, column) => {
    expect(loaded.finding("warning", path, "x")).toMatchObject({ file, line, column, severity: "warning" });
  });
});
