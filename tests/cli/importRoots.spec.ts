import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { configMap, list, root, set } from "../import/manifests.ts";
import { importFolder } from "./importedTree.ts";

/* Which clusters a tree has: by its roots, or by its folders where it has none. Real kustomize builds them. */

const { importOf, run } = importFolder();

describe("arcflux import of a tree", () => {
  it("is one cluster a root, shared sets once, and a source by whatever name (T6, T8, T11)", async () => {
    const { clusters, fleet, err } = await importOf(
      {
        "clusters/prod/a/flux-system/gotk-sync.yaml": root("clusters/prod/a", {}, "fleet"),
        "clusters/prod/a/shop.yaml": set("shop", { sourceRef: { kind: "GitRepository", name: "fleet" } }),
        "clusters/prod/a/web.yaml": set("web", {
          sourceRef: { kind: "GitRepository", name: "fleet" },
          path: "./a",
        }),
        "clusters/dev/a/flux-system/gotk-sync.yaml": root("clusters/dev/a"),
        "clusters/dev/a/shop.yaml": set("shop"),
        "clusters/dev/a/web.yaml": set("web", { path: "./b" }),
        "clusters/hub/flux-system/gotk-sync.yaml": root("clusters/hub"),
      },
      "clusters",
    );
    expect(err.split("\n")[0]).toBe("3 clusters, 4 sets, no sources; 4 of 4 mean the same as before.");
    expect(fleet["repository"]).toEqual({ url: "https://git.example.org/f.git", branch: "main" });
    expect(fleet["sources"]).toBeUndefined();
    expect(fleet["sets"]).toEqual({
      shop: { path: "./apps/shop", interval: "10m", prune: true },
      web: { interval: "10m", prune: true },
    });
    expect(Object.keys(clusters).sort()).toEqual(["dev-a", "hub", "prod-a"]);
    // At different depths each keeps its place; the layout says that of hub.
    expect(Object.entries(clusters).map(([name, { folder }]) => [name, folder])).toEqual([
      ["dev-a", "fleet/dev/a"],
      ["hub", undefined],
      ["prod-a", "fleet/prod/a"],
    ]);
    expect(clusters["prod-a"]!.sets).toEqual({ shop: {}, web: { path: "./a" } });
    expect(clusters["hub"]!.sets).toBeUndefined();
  });

  it("knows one repository by all forms of its URL, and leaves out clusters of another one", async () => {
    const at = (url: string, folder: string): string =>
      root(folder).replace("https://git.example.org/f.git", url);
    const { clusters, fleet, notes } = await importOf(
      {
        "clusters/a/gotk-sync.yaml": at("ssh://git@git.example.org/f", "clusters/a"),
        "clusters/a/shop.yaml": set("shop"),
        "clusters/b/gotk-sync.yaml": at("https://git.example.org/f.git", "clusters/b"),
        "clusters/c/gotk-sync.yaml": at("https://git.example.org/f.git", "clusters/c"),
        "clusters/d/gotk-sync.yaml": at("https://git.example.org/other.git", "clusters/d"),
      },
      "clusters",
    );
    expect(Object.keys(clusters)).toEqual(["a", "b", "c"]);
    expect(fleet["repository"]).toEqual({ url: "https://git.example.org/f.git", branch: "main" });
    expect(clusters["a"]!.sets).toEqual({ shop: { path: "./apps/shop", interval: "10m", prune: true } });
    expect(notes.find((line) => line.includes("cluster a"))).toContain("another form of its URL");
    expect(notes.find((line) => line.includes("cluster d"))).toContain("another repository than most");
  });

  it("is of a root that an overlay for each cluster completes by patches, and of sets that it completes", async () => {
    const kustomization = (name: string, spec: object): string =>
      stringify({
        apiVersion: "kustomize.toolkit.fluxcd.io/v1",
        kind: "Kustomization",
        metadata: { name, namespace: "flux-system" },
        spec,
      });
    const sourceRef = { kind: "GitRepository", name: "fleet" };
    const site = (number: string): Record<string, string> => ({
      [`clusters/a/${number}/kustomization.yaml`]: list({
        resources: ["../../base"],
        patches: [{ path: `../../../flux/a-${number}.yaml` }],
      }),
      [`flux/a-${number}.yaml`]: kustomization("flux-system", {
        path: `./clusters/a/${number}`,
        postBuild: { substitute: { SITE: `north-${number}` } },
      }),
    });
    const [source] = root("clusters/base", {}, "fleet").split("---\n");
    const { clusters, err, notes } = await importOf(
      {
        "clusters/base/kustomization.yaml": list({
          resources: ["../../flux/source.yaml", "../../flux/root.yaml", "../../sets/shop.yaml"],
          patches: [{ path: "../../flux/defaults.yaml", target: { kind: "Kustomization" } }],
        }),
        ...site("00"),
        ...site("01"),
        "flux/source.yaml": source!,
        "flux/root.yaml": kustomization("flux-system", { path: "./clusters/${SITE}", sourceRef }),
        "flux/defaults.yaml": kustomization("any", { interval: "5m", prune: true, sourceRef }),
        "sets/shop.yaml": kustomization("shop", { path: "./apps/${SITE}" }),
        "sets/asleep.yaml": set("asleep"),
      },
      "",
    );
    expect(err.split("\n")[0]).toBe(
      "2 clusters, 2 sets, no sources; 2 of 2 mean the same as before; 1 Kustomization left out.",
    );
    expect(Object.keys(clusters)).toEqual(["00", "01"]);
    expect(clusters["00"]!.sets).toEqual({ shop: { path: "./apps/north-00" } });
    expect(notes.filter((line) => line.includes("is left out: nothing that a root builds"))).toEqual([
      expect.stringContaining("sets/asleep.yaml: Kustomization asleep") as unknown,
    ]);
  });

  it("takes no folder that a set of another root applies for a root, though its Kustomization lies in it", async () => {
    const { clusters } = await importOf(
      {
        "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a"),
        "clusters/a/flux-system/kustomization.yaml": list({ resources: ["gotk-sync.yaml"] }),
        "clusters/a/kustomization.yaml": list({ resources: ["flux-system", "../../apps/crds/ks.yaml"] }),
        "apps/crds/ks.yaml": set("crds"),
        "apps/crds/kustomization.yaml": list({ resources: ["crd.yaml"] }),
        "apps/crds/crd.yaml":
          "{ apiVersion: v1, kind: ConfigMap, metadata: { name: crd, namespace: shop } }\n",
      },
      "",
    );
    expect(Object.keys(clusters)).toEqual(["a"]);
    expect(Object.keys(clusters["a"]!.sets!)).toEqual(["crds"]);
  });

  it("without roots, where Flux cannot build the folder, is what lies below it and builds", async () => {
    const { clusters, notes } = await importOf(
      {
        "kubernetes/extra.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n",
        "kubernetes/base/kustomization.yaml": list({ resources: ["gone.yaml"] }),
        "kubernetes/flux-system/sync.yaml": set("shop"),
      },
      "",
    );
    expect(clusters).toMatchObject({ kubernetes: { sets: { shop: { path: "./apps/shop" } } } });
    expect(notes.find((line) => line.startsWith("kubernetes: "))).toContain(
      "taken is kubernetes/flux-system, which builds",
    );
  });

  it("without roots is the folders, and what all have stands in a group", async () => {
    const { fleet, clusters } = await importOf(
      { "clusters/a/shop.yaml": set("shop"), "clusters/b/shop.yaml": set("shop") },
      "clusters",
    );
    expect(fleet["groups"]).toEqual({ all: { match: {}, sets: { shop: {} } } });
    expect(Object.keys(clusters)).toEqual(["a", "b"]);
  });

  it("without roots, in a whole repository, is what no other Kustomization applies, wherever that lies", async () => {
    const { clusters, fleet, notes } = await importOf(
      {
        "mkdocs.yaml": "site_name: ours\n",
        ".sourceignore": "/*\n!/k8s/\n",
        "infra/controllers/repository.yaml": stringify({
          apiVersion: "source.toolkit.fluxcd.io/v1",
          kind: "GitRepository",
          metadata: { name: "charts", namespace: "flux-system" },
          spec: { interval: "1h", url: "https://git.example.org/charts.git" },
        }),
        "components/backup/kustomization.yaml": list({ kind: "Component", resources: ["backup.yaml"] }),
        "components/backup/backup.yaml": set("backup"),
        ".archive/old.yaml": set("old"),
        "k8s/north/flux/cluster/apps.yaml": set("apps", { path: "./k8s/north/apps" }),
        "k8s/north/apps/shop/shop.yaml": set("shop"),
        "k8s/south/apps.yaml": set("apps", { path: "./k8s/south-apps" }),
        "k8s/south-apps/shop.yaml": set("shop"),
        "k8s/south/far.yaml": set("far", {
          path: "./k8s/far",
          sourceRef: { kind: "OCIRepository", name: "x" },
        }),
        "k8s/far/inner.yaml": set("inner"),
      },
      "",
    );
    expect(clusters).toEqual({
      north: { kubeconfig: { context: "north" }, sets: { apps: { path: "./k8s/north/apps" } } },
      south: {
        kubeconfig: { context: "south" },
        sets: {
          apps: { path: "./k8s/south-apps" },
          far: {
            path: "./k8s/far",
            interval: "10m",
            prune: true,
            sourceRef: { kind: "OCIRepository", name: "x" },
          },
        },
      },
    });
    expect(notes.join("\n")).toMatch(
      /inner\.yaml: .*stays with far if that applies it: far could not be built/,
    );
    // Clusters see nothing outside k8s/.
    expect(fleet["layout"]).toEqual({ cluster: "k8s/fleet/{cluster}" });
    expect(notes.join("\n")).not.toContain(".sourceignore");
    expect(notes.join("\n")).toMatch(
      /\.archive\/old\.yaml[^]*components\/backup\/backup\.yaml[^]*not apply it today/,
    );
  });

  it("asks for a line in .sourceignore where clusters see nothing but what a root applies", async () => {
    const { fleet, notes } = await importOf({
      ".sourceignore": "/*\n!/clusters/a/\n",
      "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a"),
      "clusters/a/shop.yaml": set("shop"),
    });
    expect(fleet["layout"]).toEqual({ cluster: "fleet/{cluster}" });
    expect(notes.join("\n")).toMatch(/^\.sourceignore: leaves out fleet\/, .*add the line !\/fleet\//m);
  });

  it("takes a root of another namespace, with its source, and fits beside it", async () => {
    const elsewhere = { namespace: "default" };
    const { clusters } = await importOf({
      "clusters/a/root.yaml": set("gitops", { path: "./clusters/a" }, elsewhere),
      "clusters/a/shop.yaml": set("shop", {}, elsewhere),
      "apps/shop/cm.yaml": configMap("shop"),
    });
    expect(clusters["a"]!.sets).toEqual({
      shop: { namespace: "default", path: "./apps/shop", interval: "10m", prune: true },
    });
    const { err } = await run("validate --repo repo");
    expect(err).not.toContain("nobody could see");
  });

  it("names a second root of the same folder, and leaves it out; the one that its tool made is the first", async () => {
    const { clusters, notes } = await importOf({
      "clusters/a/again.yaml": set("again", { path: "./clusters/a" }),
      "clusters/a/shop.yaml": set("shop"),
      "clusters/a/web.yaml": set("web", { dependsOn: [{ name: "shop" }] }),
      "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a"),
    });
    expect(clusters["a"]!.sets).toEqual({
      shop: { path: "./apps/shop", interval: "10m", prune: true },
      web: { path: "./apps/web", interval: "10m", prune: true, dependsOn: ["shop"] },
    });
    expect(notes).toContainEqual(
      "clusters/a/again.yaml: Kustomization again: is left out: it is a second root, which applies clusters/a as flux-system " +
        "does; set prune: false in it, wait until Flux has that, then delete it, before you adopt the cluster",
    );
  });

  const instance = (more: object = {}): string =>
    stringify({
      apiVersion: "fluxcd.controlplane.io/v1",
      kind: "FluxInstance",
      metadata: { name: "flux", namespace: "flux-system" },
      spec: {
        ...more,
        sync: {
          kind: "GitRepository",
          url: "https://git.example.org/f.git",
          ref: "refs/heads/prod",
          path: "clusters/a",
          pullSecret: "token",
        },
      },
    });

  it("is of flux-operator's instance as of a root", async () => {
    const { fleet, clusters, notes } = await importOf({
      "clusters/a/flux-instance.yaml": instance(),
      "clusters/a/shop.yaml": set("shop"),
    });
    expect(fleet["repository"]).toEqual({
      url: "https://git.example.org/f.git",
      branch: "prod",
      access: "token",
    });
    expect(Object.keys(clusters["a"]!.sets!)).toEqual(["shop"]);
    expect(notes.join()).not.toContain("serviceAccountName");
  });

  it("says that the account of a root of a multi-tenant instance is not the new one's", async () => {
    const { notes } = await importOf({
      "clusters/a/flux-instance.yaml": instance({ cluster: { multitenant: true } }),
      "clusters/a/shop.yaml": set("shop"),
    });
    expect(notes).toContainEqual(
      expect.stringMatching(/FluxInstance flux: spec\.serviceAccountName: .*--default-service-account/),
    );
  });
});
