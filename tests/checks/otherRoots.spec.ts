import { afterAll, describe, expect, it } from "vitest";
import { openBuilder } from "../../build/index.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import type { Fleet } from "../../fleet/model.ts";
import type { Fixture } from "../support/gitWorkshop.ts";
import { faultsIn as faultsBy } from "./repository.ts";

/* Built with the real engine: what others apply is known by nothing else. */
const builder = openBuilder({});
afterAll(() => ("kind" in builder ? undefined : builder.close()));
const open = () => ("kind" in builder ? builder : { ...builder, close: () => Promise.resolve() });
const faultsIn = (fleet: Fleet, files: Fixture) => faultsBy(fleet, files, { built: { open } });

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
  'Give the cluster another folder, such as `layout: { cluster: "fleet/{cluster}" }`; leave the old files where they are.';

describe("a folder that a bootstrap of others applies", () => {
  it("is not closed by a list of ours alone: what that leaves out would be deleted (T20)", async () => {
    const faults = await faultsIn(fleetOf({ ...a, fluxFolder: a.folder }), bootstrapped);
    expect(faults).toContainEqual(
      "error: clusters.a: Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml applies clusters/a now, and would " +
        "leave out clusters/a/flux-system/gotk-sync.yaml (GitRepository flux-system/flux-system), " +
        "clusters/a/flux-system/gotk-sync.yaml (Kustomization flux-system/flux-system), " +
        `clusters/a/settings.yaml (ConfigMap flux-system/settings), so Flux deletes that. ${elsewhere}`,
    );
  });

  it("is not told to move a file away that the root applies, or that keeps others asleep", async () => {
    const list = {
      "clusters/a/kustomization.yaml": "kind: Kustomization\nresources: [shop.yaml, settings.yaml]\n",
    };
    const faults = await faultsIn(fleetOf({ ...a, fluxFolder: a.folder }), { ...bootstrapped, ...list });
    const told = faults.filter((line) => line.includes("was not generated"));
    expect(told).toEqual([
      "error: clusters.a: clusters/a/kustomization.yaml is a file that was not generated, and Kustomization flux-system in " +
        "clusters/a/flux-system/gotk-sync.yaml reads it; leave it there, and give the cluster another folder, such as " +
        '`layout: { cluster: "fleet/{cluster}" }`',
    ]);
  });

  it("gets no file below it that defines an object twice (T21), or that the root would own too", async () => {
    expect(await faultsIn(fleetOf(a), bootstrapped)).toContainEqual(
      "error: clusters.a: Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml applies clusters/a, and both " +
        "clusters/a/shop.yaml and the generated clusters/a/flux/shop.yaml in it would define Kustomization flux-system/shop, " +
        `so it fails for good. ${elsewhere}`,
    );
    const asB = (text: string) => text.replace("clusters/a", "clusters/b");
    const ofB = new Map(Object.entries(bootstrapped).map(([path, text]) => [asB(path), asB(text)]));
    const both = fleetOf(a, clusterOf("b", [shop], { config: "flux-system" }));
    expect(await faultsIn(both, { ...bootstrapped, ...Object.fromEntries(ofB) })).toContainEqual(
      expect.stringContaining("both clusters/b/shop.yaml and the generated clusters/b/flux/shop.yaml in it"),
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

  it("is said of a FluxInstance too", async () => {
    const sync = `{ kind: GitRepository, url: "https://git.example.com/edge/fleet.git", ref: refs/heads/main, path: clusters/a }`;
    const instance = `apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: { name: flux, namespace: flux-system }\nspec: { sync: ${sync} }\n`;
    const files = {
      "clusters/a/shop.yaml": bootstrapped["clusters/a/shop.yaml"],
      "clusters/a/flux-system/flux.yaml": instance,
    };
    expect(await faultsIn(fleetOf(a), files)).toContainEqual(
      expect.stringMatching(
        /^error: clusters\.a: the FluxInstance in clusters\/a\/flux-system\/flux\.yaml applies clusters\/a, and both/,
      ),
    );
  });
});

describe("a root of others in a folder of the cluster's name, beside the new one", () => {
  const moved = {
    folder: "fleet/a",
    fluxFolder: "fleet/a/flux",
    setsFolder: "fleet/a/sets",
    config: "edge-config",
  };
  const beside = (...sets: readonly ReturnType<typeof setOf>[]) => fleetOf(clusterOf("a", sets, moved));

  it("is left in peace while the sets keep their names and folders", async () => {
    expect(await faultsIn(beside(setOf("shop", { path: "./apps/shop" })), bootstrapped)).toEqual([]);
  });

  it("must not have the workload of a set by another name, unless it is suspended in Git", async () => {
    const fleet = beside(setOf("till", { path: "./apps/shop" }));
    expect(await faultsIn(fleet, bootstrapped)).toEqual([
      "error: clusters.a: Kustomization flux-system in clusters/a/flux-system/gotk-sync.yaml applies ConfigMap " +
        "flux-system/shop by shop, and set till would too: two owners, and the one that goes deletes it for both. Call the " +
        "set shop, or write suspend: true there first.",
    ]);
    const prefixed = { "clusters/a/kustomization.yaml": "namePrefix: x-\nresources: [shop.yaml]\n" };
    expect(await faultsIn(beside(setOf("shop")), { ...bootstrapped, ...prefixed })).toEqual([
      expect.stringContaining("applies ConfigMap flux-system/shop by x-shop, and set shop would too"),
    ]);
    const asleep = kustomization("shop", "./apps/shop", ", suspend: true");
    expect(await faultsIn(fleet, { ...bootstrapped, "clusters/a/shop.yaml": asleep })).toEqual([]);
  });

  it("that is suspended in Git has brought what runs on, until that is suspended too", async () => {
    const root = source + kustomization("flux-system", "./clusters/a", ", suspend: true");
    const files = { ...bootstrapped, "clusters/a/flux-system/gotk-sync.yaml": root };
    const till = setOf("till", { path: "./apps/shop" });
    expect(await faultsIn(beside(till), files)).toEqual([
      expect.stringContaining("applies ConfigMap flux-system/shop by shop, and set till would too"),
    ]);
    const asleep = kustomization("shop", "./apps/shop", ", suspend: true");
    expect(await faultsIn(beside(till), { ...files, "clusters/a/shop.yaml": asleep })).toEqual([]);
    // Itself it applies and deletes nothing any more, so the folder may be written.
    expect(await faultsIn(fleetOf(a), files)).toEqual([]);
  });

  it("is no owner of nothing where it cannot be built: nobody has looked", async () => {
    const broken = { "clusters/a/kustomization.yaml": "kind: Kustomization\nresources: [gone.yaml]\n" };
    for (const fleet of [fleetOf(a), beside(setOf("shop"))])
      expect(await faultsIn(fleet, { ...bootstrapped, ...broken })).toEqual([
        expect.stringMatching(
          /^error: clusters\.a: Kustomization flux-system in .* applies clusters\/a, and nobody could see what that is: .*gone\.yaml.*\. Mend that, or suspend it \(suspend: true in that file\)$/s,
        ),
      ]);
  });

  it("is left in peace where two of its own sets share an object today: an adoption changes nothing of that", async () => {
    const files = { ...bootstrapped, "clusters/a/again.yaml": kustomization("again", "./apps/shop") };
    const shared = ["shop", "again"].map((name) => setOf(name, { path: "./apps/shop" }));
    expect(await faultsIn(beside(...shared), files)).toEqual([]);
    const asleep = kustomization("again", "./apps/shop", ", suspend: true");
    const found = await faultsIn(beside(...shared), { ...files, "clusters/a/again.yaml": asleep });
    expect(found).toEqual([expect.stringContaining("by shop, and set again would too: two owners")]);
  });

  it("does not count what its list leaves out, and nobody applies", async () => {
    const glass = kustomization("break-glass", "./clusters/a");
    const till = { "apps/till/cm.yaml": configMap("till") };
    const listed = (...resources: string[]) => ({
      ...bootstrapped,
      ...till,
      "clusters/a/glass.yaml": glass,
      "clusters/a/kustomization.yaml": `kind: Kustomization\nresources: [${resources.join(", ")}]\n`,
    });
    const fleet = fleetOf({ ...a, fluxFolder: a.folder });
    const found = await faultsIn(fleet, listed("flux-system/gotk-sync.yaml", "shop.yaml"));
    expect(found.filter((line) => line.includes("glass"))).toEqual([]);
    expect(found).toContainEqual(expect.stringContaining("Kustomization flux-system in"));
    // The only one in the folder may have been applied by hand, and so may one of flux-system.
    const alone = Object.fromEntries(
      Object.entries(listed("shop.yaml")).filter(([path]) => !path.includes("flux-system")),
    );
    expect(await faultsIn(fleet, alone)).toContainEqual(
      expect.stringContaining("Kustomization break-glass in"),
    );
    const sync = await faultsIn(fleet, listed("shop.yaml"));
    expect(sync).toContainEqual(expect.stringContaining("Kustomization flux-system in"));
    expect(sync.filter((line) => line.includes("glass"))).toEqual([]);
  });

  it("must not lose to a set what it applies today", async () => {
    const files = { ...bootstrapped, "apps/other/cm.yaml": configMap("other") };
    expect(await faultsIn(beside(setOf("shop", { path: "./apps/other" })), files)).toEqual([
      "error: clusters.a: set shop takes the place of the one that Kustomization flux-system in " +
        "clusters/a/flux-system/gotk-sync.yaml brings, which applies ConfigMap flux-system/shop; this one would not, so Flux " +
        "deletes that. Write the path that it has now, and change it once the new bootstrap owns it.",
    ]);
    const kept = setOf("shop", { path: "./apps/other", prune: false });
    expect(await faultsIn(beside(kept), files)).toEqual([]);
  });

  it("must not lose it to a set of the same path that calls it otherwise", async () => {
    const told = (fields: string) =>
      `which applies ConfigMap flux-system/shop; this one would not, so Flux deletes that. Write the ${fields} that it has now,`;
    const set = (spec: object) => beside(setOf("shop", { path: "./apps/shop/", ...spec }));
    const fields = [{ targetNamespace: "till" }, { namePrefix: "x-" }, { nameSuffix: "-x" }];
    for (const spec of fields)
      expect(await faultsIn(set(spec), bootstrapped)).toContainEqual(
        expect.stringContaining(told(Object.keys(spec)[0]!)),
      );
    const suffixed = kustomization("shop", "./apps/shop", ", nameSuffix: -x");
    expect(
      await faultsIn(set({ nameSuffix: "-x" }), { ...bootstrapped, "clusters/a/shop.yaml": suffixed }),
    ).toEqual([]);
    // What only the cluster knows is written alike by both.
    const open = "{ substituteFrom: [{ kind: ConfigMap, name: site }] }";
    const named = {
      "clusters/a/shop.yaml": kustomization("shop", "./apps/shop", `, postBuild: ${open}`),
      "apps/shop/cm.yaml": configMap("shop-${site}"),
    };
    const postBuild = { substituteFrom: [{ kind: "ConfigMap", name: "site" }] };
    expect(
      (await faultsIn(set({ postBuild }), { ...bootstrapped, ...named })).filter((line) =>
        line.includes("takes the place"),
      ),
    ).toEqual([]);
  });

  it("leaves out what the new bootstrap must not bring to life", async () => {
    const restore = { "fleet/a/flux/restore.yaml": kustomization("restore", "./apps/shop") };
    expect(await faultsIn(beside(), { ...bootstrapped, ...restore })).toEqual([
      expect.stringMatching(
        /^error: clusters\.a: the new bootstrap would apply fleet\/a\/flux\/restore\.yaml \(Kustomization flux-system\/restore\), which/,
      ),
    ]);
  });
});

describe("a root of a cluster that the fleet file does not have", () => {
  const management = {
    "mgmt/flux-system/gotk-sync.yaml": source + kustomization("flux-system", "./mgmt"),
    "mgmt/edge.yaml": kustomization("edge", "./clusters"),
    "apps/shop/cm.yaml": configMap("shop"),
  };

  it("does not get the flux folder of one by what it brings", async () => {
    expect(await faultsIn(fleetOf(a), management)).toEqual([
      "error: clusters.a: Kustomization flux-system in mgmt/flux-system/gotk-sync.yaml applies mgmt, and with it by edge the " +
        `generated clusters/a/flux/shop.yaml, which the bootstrap applies too: two owners of one object. ${elsewhere}`,
    ]);
  });

  it("does not fail over the flux folders of many, which have sets of one name", async () => {
    const both = fleetOf(a, clusterOf("b", [shop], { config: "flux-system" }));
    const files = { ...management, "clusters/readme.yaml": configMap("readme") };
    expect(await faultsIn(both, files)).toEqual([
      expect.stringMatching(
        /^error: clusters\.a: Kustomization flux-system in mgmt\/.* \(for 2 clusters\) applies mgmt, which brings edge, and that would fail: .*already registered id.* Give the cluster another folder/s,
      ),
    ]);
  });

  it("is left in peace where its list leaves that out, or it has a folder of its own", async () => {
    const list = {
      "mgmt/kustomization.yaml": "kind: Kustomization\nresources: [flux-system/gotk-sync.yaml]\n",
    };
    expect(await faultsIn(fleetOf(a), { ...management, ...list })).toEqual([]);
    const own = { ...management, "mgmt/edge.yaml": kustomization("edge", "./apps/shop") };
    expect(await faultsIn(fleetOf(a), own)).toEqual([]);
  });

  it("takes another repository where its source says so", async () => {
    const podinfo =
      source.replace("name: flux-system", "name: podinfo") +
      kustomization("podinfo", "./").replace(
        "GitRepository, name: flux-system",
        "GitRepository, name: podinfo",
      );
    expect(await faultsIn(fleetOf(a), { "clusters/podinfo.yaml": podinfo, "apps/shop/cm.yaml": "" })).toEqual(
      [],
    );
    const ours = podinfo.replace("https://git.example.org/f.git", "ssh://git@git.example.com/edge/fleet");
    expect(await faultsIn(fleetOf(a), { "clusters/podinfo.yaml": ours, "apps/shop/cm.yaml": "" })).toEqual([
      expect.stringContaining("Kustomization podinfo in clusters/podinfo.yaml applies the root"),
    ]);
  });
});

describe("what has one name in two namespaces", () => {
  const inNamespace = (namespace: string, text: string): string =>
    text.replace("namespace: flux-system", `namespace: ${namespace}`);
  const root = (namespace: string, more = ""): string =>
    inNamespace(namespace, kustomization("flux-system", "./clusters/a", more));
  const app = { "apps/shop/cm.yaml": configMap("shop") };
  const owned = [
    expect.stringContaining(
      "flux-system in clusters/a/teams.yaml applies clusters/a, and with it the generated clusters/a/flux/",
    ),
  ];

  it("is a root each: one that is suspended does not hide the one that runs", async () => {
    const teams = `${root("one", ", suspend: true")}---\n${root("two")}`;
    expect(await faultsIn(fleetOf(a), { ...app, "clusters/a/teams.yaml": teams })).toEqual(owned);
  });

  it("is a source each: one of another repository says nothing of the fleet's", async () => {
    const ours = source.replace("https://git.example.org/f.git", "https://git.example.com/edge/fleet.git");
    const teams = inNamespace("one", source) + inNamespace("two", ours) + root("two");
    expect(await faultsIn(fleetOf(a), { ...app, "clusters/a/teams.yaml": teams })).toEqual(owned);
  });

  it("is a set each: that of the fleet file takes over nothing in another namespace", async () => {
    const beside = (set: typeof shop) =>
      fleetOf({ ...a, folder: "fleet/a", fluxFolder: "fleet/a/flux", sets: [set] });
    const teams = root("two") + "---\n" + inNamespace("two", kustomization("shop", "./apps/shop"));
    const files = { ...app, "clusters/a/teams.yaml": teams };
    expect(await faultsIn(beside(shop), files)).toEqual([
      expect.stringContaining(
        "applies ConfigMap flux-system/shop by two/shop, and set shop would too: two owners, and the one that goes deletes it " +
          "for both. Call the set shop, with namespace: two, or write suspend: true there first.",
      ),
    ]);
    expect(await faultsIn(beside({ ...shop, namespace: "two" }), files)).toEqual([]);
  });
});

it("a root on the branch that a cluster follows counts for that cluster, and one on both is said once", async () => {
  const prod = { ...a, follows: "prod" };
  const { "apps/shop/cm.yaml": app, ...roots } = bootstrapped;
  const files = { "apps/shop/cm.yaml": app };
  const more = { branch: "prod", files: roots };
  const told = [
    expect.stringContaining("both clusters/a/shop.yaml and the generated clusters/a/flux/shop.yaml"),
  ];
  expect(await faultsBy(fleetOf(prod), files, { built: { open } }, more)).toEqual(told);
  expect(await faultsBy(fleetOf(a), files, { built: { open } }, more)).toEqual([]);
  const both = { branch: "prod", files: { "README.md": "Of prod\n" } };
  expect(await faultsBy(fleetOf(prod), bootstrapped, { built: { open } }, both)).toEqual(told);
});

it("a set does not list the files of other clusters either", async () => {
  const fleet = fleetOf(clusterOf("a", [shop]), clusterOf("b", [setOf("all", { path: "./shared" })]));
  const files = {
    "apps/shop/cm.yaml": configMap("shop"),
    "shared/kustomization.yaml": "kind: Kustomization\nresources: [../clusters/a/flux/shop.yaml]\n",
  };
  const told =
    "error: clusters.b.sets.all: applies shared, and with it the generated files of a: b would run those sets too. " +
    "Give the set a folder of its own, or list what it takes in a kustomization.yaml there.";
  expect(await faultsIn(fleet, files)).toEqual([told]);
  // A stack that has b alone writes nothing of a, which is there all the same.
  const [first, second] = fleet.clusters;
  const there = { ...files, "clusters/a/flux/shop.yaml": kustomization("shop", "./apps/shop") };
  const whose = { declared: fleet.clusters, owner: undefined };
  expect(await faultsBy(fleetOf(second!), there, { built: { open }, whose })).toEqual([told]);
  expect(await faultsBy(fleetOf(first!, second!), there, { built: { open }, whose })).toEqual([told]);
});

it("a set does not reach into the flux folders of other clusters", async () => {
  const all = setOf("all", { path: "./clusters" });
  const fleet = fleetOf(clusterOf("a", [shop]), clusterOf("b", [all]));
  const found = await faultsIn(fleet, { "apps/shop/cm.yaml": configMap("shop") });
  expect(found).toEqual([
    "error: clusters.b.sets.all: applies clusters, and with it the generated files of a: b would run those sets too. " +
      "Give the set a folder of its own, or list what it takes in a kustomization.yaml there.",
  ]);
});
