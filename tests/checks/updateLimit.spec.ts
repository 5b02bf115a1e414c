import { expect, it } from "vitest";
import { formatInventory, inventoryName } from "../../git/index.ts";
import type { Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { faultsIn } from "./repository.ts";

const fleet = (interval: string, { stage = "", top = "" } = {}): Fleet =>
  mustLoad(
    [
      "apiVersion: arcflux/v1",
      "platform: kubernetes",
      "repository: { url: https://git.example.com/edge/fleet.git }",
      "limits: { clustersPerUpdate: 2 }",
      top,
      `groups: { all: { match: {}, sets: { pos: { interval: ${interval} } } } }`,
      "clusters:",
      ...["a", "b", "c", "new"].map((name) => `  ${name}: { kubeconfig: { context: ${name} }${stage} }`),
      "",
    ].join("\n"),
  );

/** What an earlier update wrote for all but the new cluster. */
const committed = (of: Fleet) =>
  Object.fromEntries(
    of.clusters
      .filter(({ name }) => name !== "new")
      .flatMap((cluster) =>
        Object.entries({
          ...renderClusterFolder(cluster),
          [`flux/${inventoryName}`]: formatInventory({
            owner: `edge/prod/${cluster.name}`,
            left: [],
            files: new Map(),
          }),
        }).map(([path, text]) => [`${cluster.folder}/${path}`, text]),
      ),
  );

const said = async (of: Fleet, before: Fleet, all?: string) =>
  (await faultsIn(of, committed(before), { all })).filter((line) => line.includes("limits"));

const reaches3 =
  "error: limits.clustersPerUpdate: is 2, and this update would reach 3 at once (a, b, c); change fewer, go by promotion, or set ARCFLUX_ALL to the reason why all";

it("an update reaches no more clusters at once than limits lets, but with a reason", async () => {
  expect(await said(fleet("20m"), fleet("10m"))).toEqual([reaches3]);
  expect(await said(fleet("20m"), fleet("10m"), "INC-7")).toEqual([
    expect.stringMatching(/^warning: limits.*passed by: INC-7$/),
  ]);
  // A cluster that is new has nothing to lose, and what is the same is not reached.
  expect(await said(fleet("10m"), fleet("10m"))).toEqual([]);
  const ringed = {
    stage: ", stage: prod",
    top: "stages: { prod: { rings: [{ name: all, share: 100% }] } }",
  };
  // An update of one ring reaches all of that at once, as any.
  expect(await said(fleet("20m", ringed), fleet("10m", ringed))).toEqual([reaches3]);
  // Clusters of another branch get it by promotion.
  const later = { stage: ", stage: prod", top: "stages: { prod: { branch: prod } }" };
  expect(await said(fleet("20m", later), fleet("10m", later))).toEqual([]);
  // A folder that moves makes no cluster new.
  for (const top of ["layout: { cluster: 'sites/{cluster}' }", "layout: { flux: gitops }"])
    expect(await said(fleet("10m", { top }), fleet("10m"))).toEqual([reaches3]);
});

it("an update reaches no cluster whose files mean the same, and one that loses a file of any kind", async () => {
  const before = committed(fleet("10m"));
  const reformatted = Object.fromEntries(
    Object.entries(before).map(([path, text]) => [path, text.replace("interval: 10m", 'interval: "10m0s"')]),
  );
  const among = async (files: Record<string, string>): Promise<string[]> =>
    (await faultsIn(fleet("10m"), files)).filter((line) => line.includes("limits"));
  expect(await among(reformatted)).toEqual([]);
  // An alert that goes, in the flux folder; and a set that goes, in the folder of a window.
  const set = before["clusters/a/flux/pos.yaml"]!;
  const alert = set.replace("kustomize.toolkit.fluxcd.io/v1", "notification.toolkit.fluxcd.io/v1beta3");
  const gone = (path: string, text = set) =>
    Object.fromEntries(["a", "b", "c"].map((name) => [`clusters/${name}/${path}`, text]));
  expect(
    await among({
      ...before,
      ...gone("flux/alert-old.yaml", alert.replace("kind: Kustomization", "kind: Alert")),
    }),
  ).toEqual([reaches3]);
  expect(await among({ ...before, ...gone("windows/night/old.yaml") })).toEqual([reaches3]);
  expect(await among({ ...before, ...gone("flux/window-night.yaml") })).toEqual([]);
});
