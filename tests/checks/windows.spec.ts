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
