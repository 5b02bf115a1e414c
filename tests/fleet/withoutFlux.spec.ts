import { describe, expect, it } from "vitest";
import { selectClusters } from "../../fleet/select.ts";
import { findingsOf, mustLoad } from "./fixture.ts";

const fleet = (after = "dev", e2e = "platform: none") =>
  [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "agents: install",
    "sets: { pos: { path: ./apps/pos } }",
    `stages: { dev: { branch: dev }, e2e: { branch: e2e }, prod: { branch: prod, after: ${after} } }`,
    "clusters:",
    "  lab-1: { stage: dev, kubeconfig: { context: lab-1 }, sets: { pos: {} } }",
    "  store-1: { stage: prod, kubeconfig: { context: store-1 }, sets: { pos: {} } }",
    `  e2e: { stage: e2e, ${e2e}, sets: { pos: {} } }`,
    "",
  ].join("\n");

describe("platform: none", () => {
  it("keeps a cluster apart from all others, needs no way to it, and is said where somebody asks for it", () => {
    expect(findingsOf(fleet())).toEqual([]);
    const loaded = mustLoad(fleet());
    expect(loaded.clusters.map(({ name }) => name)).toEqual(["lab-1", "store-1"]);
    expect(loaded.withoutFlux).toMatchObject([{ name: "e2e", agents: "present", follows: "e2e" }]);
    expect(() => selectClusters(loaded, { names: ["e2e"] })).toThrow(
      '"e2e" has no Flux (platform: none): only arcflux apply takes it.\nClusters there: lab-1, store-1',
    );
  });

  it("is checked like any other, and no stage is promoted from one that has no other clusters", () => {
    expect(findingsOf(fleet("dev", "platform: none, pins: { nothing: { tag: v1 } }"))).toEqual([
      expect.stringContaining("clusters.e2e.pins.nothing"),
    ]);
    expect(findingsOf(fleet("e2e"))).toEqual([
      "fleet.yaml:6:84: stages.prod.after: e2e has clusters without Flux alone (e2e), and nobody can tell that they run what would be promoted; name a stage whose clusters have Flux, or drop after",
    ]);
  });
});
