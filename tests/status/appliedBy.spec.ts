import { expect, it } from "vitest";

import type { Cluster } from "../../fleet/model.ts";
import { appliedBy, type ClusterState, type FleetStatus, historyOf } from "../../status/index.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";

const [old, middle, tip] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];
const history = historyOf(
  new Map([
    [tip, { parents: [middle], time: 3 }],
    [middle, { parents: [old], time: 2 }],
    [old, { parents: [], time: 1 }],
  ]),
);
const state = (cluster: string, commit: string, source: ClusterState["source"]): ClusterState =>
  ({
    cluster,
    source,
    runs: { bootstrap: `main@sha1:${commit}`, folder: `of/${cluster}` },
  }) as unknown as ClusterState;

const fleet = mustLoad(fleetText({}));
const one = (name: string): Cluster => ({ ...fleet.clusters[0]!, name });

it("asks once for all clusters, and takes no answer for a yes where nobody but Git told", async () => {
  let times = 0;
  const states = [state("new", tip, "azure"), state("late", old, "cluster"), state("silent", tip, "git")];
  const { applied, folderOf } = appliedBy(fleet, {}, () => {
    times += 1;
    return Promise.resolve({ states, history } as unknown as FleetStatus);
  });
  const answers = await Promise.all(
    ["new", "late", "silent", "stranger"].map((name) => applied(one(name), middle)),
  );
  expect(answers).toEqual(["yes", "no", "unknown", "unknown"]);
  expect(await folderOf(one("new"))).toBe("of/new");
  expect(await folderOf(one("stranger"))).toBeUndefined();
  expect(times).toBe(1);
});

it("knows nothing where asking failed", async () => {
  const { applied, folderOf } = appliedBy(fleet, {}, () => Promise.reject(new Error("no network")));
  expect(await applied(one("new"), middle)).toBe("unknown");
  expect(await folderOf(one("new"))).toBeUndefined();
});
