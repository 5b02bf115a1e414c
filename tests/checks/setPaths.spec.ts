import { describe, expect, it } from "vitest";
import type { ClusterSecret } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { byHand, faultsIn } from "./repository.ts";

const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: a }\n";

describe("folders of sets", () => {
  it("are found under their exact name, however deep", async () => {
    const fleet = fleetOf(
      clusterOf("edge-0", [
        setOf("pos"),
        setOf("web", { path: "./clusters/edge-0/sets/web" }),
        setOf("all", { path: "./" }),
      ]),
    );
    const files = { "apps/pos/a.yaml": manifest, "clusters/edge-0/sets/web/a.yaml": manifest };
    expect(await faultsIn(fleet, files)).toEqual([]);
  });

  it("are named with the one that was meant when they are not there", async () => {
    const fleet = fleetOf(
      clusterOf("edge-0", [
        setOf("case", { path: "./apps/pos" }),
        setOf("typo", { path: "./aps/web/base" }),
        setOf("gone", { path: "./charts" }),
        setOf("file", { path: "./apps/readme.md" }),
        setOf("below", { path: "./apps/readme.md/base" }),
      ]),
    );
    const files = {
      "apps/POS/a.yaml": manifest,
      "apps/web/base/a.yaml": manifest,
      "apps/readme.md": "Apps\n",
    };
    expect(await faultsIn(fleet, files)).toEqual([
      'warning: clusters.edge-0.sets.below.path: "./apps/readme.md/base" is not in the repository, so Flux would report the set as failed; add the folder, or correct the path',
      'warning: clusters.edge-0.sets.case.path: "./apps/pos" is not in the repository, but ./apps/POS is: upper and lower case count; write ./apps/POS',
      'warning: clusters.edge-0.sets.file.path: "./apps/readme.md" is a file of the repository; Flux takes a folder, so name the one it lies in',
      'warning: clusters.edge-0.sets.gone.path: "./charts" is not in the repository, so Flux would report the set as failed; add the folder, or correct the path',
      'warning: clusters.edge-0.sets.typo.path: "./aps/web/base" is not in the repository, so Flux would report the set as failed; there is ./apps/web/base',
    ]);
  });

  it("are said once for all clusters that take the set", async () => {
    const fleet = fleetOf(...["a", "b", "c"].map((name) => clusterOf(name, [setOf("pos")])));
    expect(await faultsIn(fleet, {})).toEqual([
      'warning: clusters.a.sets.pos.path: "./apps/pos" (taken by 2 more clusters) is not in the repository, so Flux would report the set as failed; add the folder, or correct the path',
    ]);
  });

  it("are not looked for where the set takes another source, or the way leads out by a link", async () => {
    const other = { sourceRef: { kind: "OCIRepository", name: "charts" } } as const;
    const pinned = { sourceRef: { kind: "GitRepository", name: "infrastructure" } } as const;
    const sources = [
      { name: "infrastructure", kind: "GitRepository", self: true, spec: { ref: { tag: "v1" } } },
    ] as const;
    const fleet = fleetOf(
      clusterOf("edge-0", [setOf("a", {}, other), setOf("b", {}, pinned), setOf("c", { path: "./link/c" })], {
        sources,
      }),
    );
    expect(await faultsIn(fleet, { link: { mode: "120000", data: "apps" } })).toEqual([]);
  });

  it("are looked for when a source is this repository on the branch that is committed to", async () => {
    const same = { sourceRef: { kind: "GitRepository", name: "self" } } as const;
    const sources = [
      { name: "self", kind: "GitRepository", self: true, spec: { ref: { branch: "main" } } },
    ] as const;
    const fleet = fleetOf(clusterOf("edge-0", [setOf("a", {}, same)], { sources }));
    expect(await faultsIn(fleet, {})).toHaveLength(1);
  });
});

describe("folders below the sets folder", () => {
  it("without a set are told", async () => {
    const fleet = fleetOf(
      clusterOf("edge-0", [
        setOf("web", { path: "./clusters/edge-0/sets/web" }),
        setOf("deep", { path: "./clusters/edge-0/sets/deep/base" }),
      ]),
    );
    const below = (path: string) => ({ [`clusters/edge-0/sets/${path}`]: manifest });
    const files = {
      ...below("web/a.yaml"),
      ...below("deep/base/a.yaml"),
      ...below("old/a.yaml"),
      ...below("readme.md"),
    };
    expect(await faultsIn(fleet, files)).toEqual([
      "warning: clusters.edge-0.sets: clusters/edge-0/sets/old is in the repository, but no set applies it; add a set with that name, or remove the folder",
    ]);
  });

  it("are not the flux folder, the apps and other clusters, where sets lie beside them", async () => {
    const beside = (name: string) =>
      clusterOf(name, [setOf("web", { path: `./clusters/${name}/web` })], { setsFolder: `clusters/${name}` });
    const inner = clusterOf("inner", [], {
      folder: "clusters/edge-0/inner",
      fluxFolder: "clusters/edge-0/inner/flux",
      setsFolder: "clusters/edge-0/inner/sets",
    });
    const files = {
      "clusters/edge-0/web/a.yaml": manifest,
      "clusters/edge-0/flux/by-hand.yaml": manifest,
      "clusters/edge-0/inner/flux/a.yaml": manifest,
      "clusters/edge-0/old/a.yaml": manifest,
    };
    expect(await faultsIn(fleetOf(beside("edge-0"), inner), files)).toEqual([
      expect.stringContaining("clusters/edge-0/old is in the repository, but no set applies it"),
    ]);
  });

  it("are not that of its secrets, which lies there too", async () => {
    const fetched: ClusterSecret = {
      ...{ key: "till", name: "till", namespace: "pos", type: "Opaque", deliver: "csi" },
      keys: { token: { keyVault: { vault: "kv-edge", secret: "till" } } },
    };
    const cluster = clusterOf("edge-0", [], { setsFolder: "clusters/edge-0", secrets: [fetched] });
    const written = Object.entries(renderClusterFolder(cluster));
    const files = Object.fromEntries(written.map(([path, text]) => [`${cluster.folder}/${path}`, text]));
    expect(Object.keys(files)).toContain("clusters/edge-0/secrets/till.yaml");
    expect(await faultsIn(fleetOf(cluster), files)).toEqual([]);
  });

  it("are none where a hand-written Kustomization applies them", async () => {
    const files = {
      "clusters/edge-0/sets/legacy/a.yaml": manifest,
      "clusters/edge-0/flux/legacy.yaml": byHand("legacy").replace("./by-hand", "./clusters/edge-0/sets"),
    };
    expect(await faultsIn(fleetOf(clusterOf("edge-0", [])), files)).toEqual([]);
  });
});

describe("apps", () => {
  it("are looked for where they are taken from", async () => {
    const apps = [
      { name: "pos", resource: "../../../apps/pos" },
      { name: "web", resource: "../../../apps/wep" },
      { name: "far", resource: "https://example.com/far" },
    ];
    const fleet = fleetOf(clusterOf("a", [], { apps }), clusterOf("b", [], { apps }));
    expect(await faultsIn(fleet, { "apps/pos/a.yaml": manifest, "apps/web/a.yaml": manifest })).toEqual([
      'warning: clusters.a.apps.web: is taken from "./apps/wep", which is not in the repository; there is ./apps/web',
    ]);
  });
});
