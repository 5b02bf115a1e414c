import { describe, expect, it } from "vitest";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { faultsIn } from "./repository.ts";

const kustomization = (name: string, path: string, more = "") => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: ${name}, namespace: flux-system }
spec: { interval: 10m, prune: true, path: ${path}, sourceRef: { kind: GitRepository, name: flux-system }${more} }
`;
const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { interval: 1m, url: "https://git.example.org/f.git", ref: { branch: main } }
---
`;
const configMap = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: flux-system }\n`;
/** A folder that \`flux bootstrap\` applies: a workload's Kustomization and settings beside Flux's own objects. */
const bootstrapped = {
  "clusters/a/settings.yaml": configMap("settings"),
  "clusters/a/shop.yaml": kustomization("shop", "./apps/shop"),
  "clusters/a/flux-system/gotk-sync.yaml": source + kustomization("flux-system", "./clusters/a"),
  "apps/shop/cm.yaml": configMap("shop"),
};
const shop = setOf(
  "shop",
  { path: "./apps/shop" },
  { sourceRef: { kind: "GitRepository", name: "flux-system" } },
);
const a = clusterOf("a", [shop], { config: "flux-system" });
const elsewhere =
  "Give the cluster a folder that nothing applies yet, such as `layout: { cluster: fleet/{cluster} }`; leave the old files " +
  "until the new bootstrap owns its sets.";

describe("a folder that a bootstrap of others applies", () => {
  it("is not closed by a list of ours alone: what that leaves out would be deleted (T20)", async () => {
    const faults = await faultsIn(fleetOf({ ...a, fluxFolder: a.folder }), bootstrapped);
    expect(faults).toContainEqual(
      "error: clusters.a: Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml applies clusters/a now, and the " +
        "generated kustomization.yaml there would leave out clusters/a/flux-system/gotk-sync.yaml (GitRepository " +
        "flux-system/flux-system), clusters/a/flux-system/gotk-sync.yaml (Kustomization flux-system/flux-system), " +
        `clusters/a/settings.yaml (ConfigMap flux-system/settings), so Flux deletes that with all it applied. ${elsewhere}`,
    );
  });

  it("gets no file below it that defines an object twice (T21), or that the root would own too", async () => {
    expect(await faultsIn(fleetOf(a), bootstrapped)).toContainEqual(
      "error: clusters.a: Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml applies clusters/a, and both " +
        "clusters/a/shop.yaml and the generated clusters/a/flux/shop.yaml in it would define Kustomization flux-system/shop, " +
        `so it fails for good. ${elsewhere}`,
    );
    const others = Object.entries(bootstrapped).filter(([path]) => path !== "clusters/a/shop.yaml");
    expect(await faultsIn(fleetOf(a), Object.fromEntries(others))).toContainEqual(
      expect.stringMatching(
        /^error: clusters\.a: .* applies clusters\/a, and with it the generated .*: two owners of one object\./,
      ),
    );
  });

  it("is said once for all clusters below it, and not where its own list leaves ours out or nothing covers it", async () => {
    const root = { "clusters/flux-system/gotk-sync.yaml": kustomization("flux-system", "./clusters") };
    const [first, ...more] = await faultsIn(fleetOf(a, clusterOf("b", [])), {
      ...root,
      "apps/shop/a.yaml": "",
    });
    expect(first).toMatch(
      /^error: clusters\.a: Kustomization flux-system in .* \(for 2 clusters\) applies clusters,/,
    );
    expect(more).toEqual([]);
    const listed = {
      ...bootstrapped,
      "clusters/a/kustomization.yaml":
        "kind: Kustomization\nresources: [settings.yaml, shop.yaml, flux-system/gotk-sync.yaml]\n",
    };
    expect(await faultsIn(fleetOf(a), listed)).toEqual([]);
    const moved = clusterOf("a", [shop], {
      folder: "fleet/a",
      fluxFolder: "fleet/a/flux",
      setsFolder: "fleet/a/sets",
    });
    expect(await faultsIn(fleetOf(moved), bootstrapped)).toEqual([]);
  });
});
