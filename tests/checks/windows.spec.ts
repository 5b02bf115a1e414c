import { describe, expect, it } from "vitest";
import type { ClusterSet, Freeze } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { windowOf } from "../flux/fixture.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { faultsIn } from "./repository.ts";

const set = (name: string, interval = "10m", over: Partial<ClusterSet> = {}) =>
  setOf(name, { interval }, { sourceRef: { kind: "OCIRepository", name: "charts" }, ...over });
const windows = { windows: [windowOf("nightly")] };
const freeze = (liveSets: boolean): Freeze => ({
  ...{ name: "xmas", from: "2026-12-18", until: "2027-01-06", reason: "Trade", liveSets },
});
const edge = (sets: readonly ClusterSet[], liveSets?: boolean) =>
  clusterOf("edge-0", sets, { ...windows, ...(liveSets !== undefined && { freeze: freeze(liveSets) }) });
const committed = (sets: readonly ClusterSet[]) =>
  Object.fromEntries(
    Object.entries(renderClusterFolder(edge(sets))).map(([path, text]) => [`clusters/edge-0/${path}`, text]),
  );

describe("what changes by itself in a windowed set", () => {
  const release = (version: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: till }
spec: { interval: 5m, chart: { spec: { chart: till, ${version} sourceRef: { kind: HelmRepository, name: c } } } }
`;
  const git = `---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: other }
spec: { interval: 5m, url: https://h/x, ref: { branch: main } }
`;
  const till = (over: Partial<ClusterSet>) => edge([setOf("till", {}, over)]);

  it.each([
    ["", "HelmRelease till follows the newest chart at any time"],
    ['version: ">=1.2.0",', "HelmRelease till follows the chart version >=1.2.0 at any time"],
    ["version: 1.2.0, reconcileStrategy: Revision,", "HelmRelease till follows each revision of its chart"],
  ])("is warned of: a chart with %j", async (version, fault) => {
    const files = { "apps/till/a.yaml": release(version) };
    expect(await faultsIn(fleetOf(till({ window: "nightly" })), files)).toEqual([
      expect.stringContaining(`warning: clusters.edge-0.sets.till.window: apps/till/a.yaml: ${fault}`),
    ]);
    expect(await faultsIn(fleetOf(till({})), files)).toEqual([]);
  });

  it("is not a pinned chart, and is a source that follows a branch", async () => {
    const files = { "apps/till/a.yaml": release("version: 1.2.0,") };
    expect(await faultsIn(fleetOf(till({ window: "nightly" })), files)).toEqual([]);
    const more = { "apps/till/a.yaml": release("version: 1.2.0,") + git };
    expect(await faultsIn(fleetOf(till({ window: "nightly" })), more)).toEqual([
      expect.stringContaining("GitRepository other follows branch main at any time"),
    ]);
  });
});

describe("a cluster that a freeze holds", () => {
  const before = committed([set("pos")]);

  it("takes the freeze itself, and nothing else while live sets are held too", async () => {
    expect(await faultsIn(fleetOf(edge([set("pos")], true)), before)).toEqual([]);
    expect(await faultsIn(fleetOf(edge([set("pos", "5m")], true)), before)).toEqual([
      "error: freezes.xmas: holds updates of edge-0 until 2027-01-06 (Trade); wait, or set ARCFLUX_EMERGENCY to the reason why this cannot",
    ]);
    expect(await faultsIn(fleetOf(edge([set("pos", "5m")], false)), before)).toEqual([]);
  });

  it("is passed with a reason, which is said", async () => {
    const faults = await faultsIn(fleetOf(edge([set("pos", "5m")], true)), before, {
      emergency: "INC-4711",
    });
    expect(faults).toEqual([expect.stringMatching(/^warning: freezes\.xmas: .*; passed by: INC-4711$/)]);
  });
});
