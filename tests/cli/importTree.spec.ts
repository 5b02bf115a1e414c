import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { configMap, list, root, set } from "../import/manifests.ts";
import { type Clusters, importFolder } from "./importedTree.ts";

/* What import takes is what Flux builds of a tree. Small trees in the shapes of public ones. Real kustomize builds them. */

const { importOf, run, save } = importFolder();

describe("arcflux import of a tree", () => {
  it("takes what the root builds: listed folders elsewhere, new names, patches, variables (T3, T4, T5)", async () => {
    const { clusters, notes, err } = await importOf({
      "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a", {
        patches: [
          {
            target: { kind: "Kustomization", name: "x-shop" },
            patch: '[{"op":"replace","path":"/spec/prune","value":false}]',
          },
        ],
        postBuild: { substitute: { SITE: "north" } },
        serviceAccountName: "deployer",
        decryption: { provider: "sops" },
      }),
      "clusters/a/kustomization.yaml": list({
        resources: ["flux-system", "mine", "../../shared"],
      }),
      "clusters/a/flux-system/kustomization.yaml": list({ resources: ["gotk-sync.yaml"] }),
      "clusters/a/mine/kustomization.yaml": list({ namePrefix: "x-", resources: ["shop.yaml"] }),
      "clusters/a/mine/shop.yaml": set("shop", { path: "./apps/${SITE}" }),
      "clusters/a/mine/asleep.yaml": set("asleep"),
      "shared/common.yaml": set("common"),
      "shared/kustomization.yaml": list({ resources: ["common.yaml"] }),
    });
    expect(err.split("\n")[0]).toBe(
      "1 cluster, 2 sets, no sources; 2 of 2 mean the same as before; 1 Kustomization left out.",
    );
    expect(clusters["a"]!.sets).toEqual({
      "x-shop": { path: "./apps/north", interval: "10m", prune: false },
      common: { path: "./apps/common", interval: "10m", prune: true },
    });
    expect(notes[0]).toMatch(
      /^clusters\/a\/mine\/asleep\.yaml: Kustomization asleep: is left out: .*not apply it today/,
    );
    const rootNote = notes.find((line) => line.includes("spec.decryption"))!;
    expect(rootNote).toContain("the bootstrap decrypts nothing");
    expect(rootNote).toContain("spec.serviceAccountName");
    expect(rootNote).toMatch(/spec\.patches, spec\.postBuild: stands in the sets/);
  });

  it("leaves out, and names, what no fleet file can say; what waits for it still does (T1, T4, T7)", async () => {
    const { clusters, notes } = await importOf({
      "clusters/a/all.yaml": [
        set("fast", { interval: "30s" }),
        set("alert-triage"),
        set("far", { dependsOn: [{ name: "free-too" }] }, { namespace: "team" }),
        set(
          "free-too",
          { sourceRef: { kind: "GitRepository", name: "flux-system", namespace: "flux-system" } },
          { namespace: "team" },
        ),
        set("shop", {}, { namespace: "team" }),
        set("shop", { dependsOn: [{ name: "fast" }, { name: "alert-triage" }] }),
        set("lost", { dependsOn: [{ name: "nowhere" }] }),
        set("free", { prune: undefined }),
      ].join("---\n"),
    });
    const external = (name: string) => ({ name, external: true });
    expect(clusters["a"]!.sets).toEqual({
      shop: {
        path: "./apps/shop",
        interval: "10m",
        prune: true,
        dependsOn: [external("fast"), external("alert-triage")],
      },
      free: { path: "./apps/free", interval: "10m", prune: false },
      far: {
        namespace: "team",
        path: "./apps/far",
        interval: "10m",
        prune: true,
        sourceRef: { kind: "GitRepository", name: "flux-system", namespace: "team" },
        dependsOn: ["free-too"],
      },
      "free-too": {
        namespace: "team",
        path: "./apps/free-too",
        interval: "10m",
        prune: true,
      },
    });
    const [note] = notes;
    expect(note).toMatch(/Kustomization fast: is left out, .*"30s"/);
    expect(note).toMatch(/Kustomization lost: is left out, .*depends on "nowhere"/);
    expect(note).toMatch(/alert-triage: metadata\.name: .*renaming it with prune on deletes what it applied/);
    expect(note).toMatch(/Kustomization shop: is left out: .*another one of that name/);
    expect(note).toMatch(/Kustomization free: spec\.prune: is missing; it is written as false/);
  });

  it("reads text as kustomize does, in the namespace that a list gives (T2, T4, T13)", async () => {
    const { clusters, notes, err } = await importOf({
      "clusters/a/kustomization.yaml": list({ namespace: "team", resources: ["shop.yaml"] }),
      "clusters/a/shop.yaml": `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: shop
  labels: { ready: on, letter: n, num: 0042 }
  annotations: { a: off, t: 12:30, x: 0x1F, o: 010, big: 12345678901234567890 }
spec:
  interval: 10m
  prune: true
  path: ./a
  sourceRef: { kind: GitRepository, name: flux-system }
  postBuild: { substitute: { A: on, B: 0042, C: 1_000, E: 12345678901234567890, F: .5, G: ~, H: "", I: 1.10 } }
`,
      "clusters/a/asleep.yaml": set("asleep"),
    });
    expect(clusters["a"]!.sets!["shop"]).toMatchObject({
      namespace: "team",
      labels: { ready: "on", letter: "n" },
      annotations: { a: "off", t: "12:30", x: "0x1F", o: "010", big: "12345678901234567890" },
      postBuild: {
        substitute: {
          A: "on",
          B: "0042",
          C: "1_000",
          E: "12345678901234567890",
          F: ".5",
          H: "",
          I: "1.10",
        },
      },
    });
    expect(Object.keys(clusters["a"]!.sets!)).toEqual(["shop"]);
    expect(notes.find((line) => line.includes("shop.yaml"))).toMatch(
      /metadata\.labels\.num: is not text .*substitute\.B.*: is not text, which Flux refuses; it is written as text/,
    );
    expect(err.split("\n")[0]).toBe(
      "1 cluster, 1 set, no sources; 0 of 1 mean the same as before; 1 Kustomization left out.",
    );
    expect(notes.at(-1)).toBe(
      "Rendered and compared by meaning: 0 equal, 1 differs: shop of a in metadata.labels, spec.postBuild.",
    );
  });

  it("takes apps as apps where they build to the same objects, and leaves the set as it is where not", async () => {
    const config = (name: string, more = ""): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n${more}`;
    const release = (name: string, spec: string): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: ${name}, namespace: default }\nspec: ${spec}\n`;
    const cluster = (name: string, more: object = {}) => ({
      [`clusters/${name}/flux/apps-base.yaml`]: set("apps-base", { path: `./clusters/${name}/apps` }),
      [`clusters/${name}/flux/infrastructure.yaml`]: set("infrastructure"),
      [`clusters/${name}/apps/kustomization.yaml`]: list({
        resources: ["../../../apps/pos", "../../../more/tools"],
        patches: [
          { path: "values/pos.yaml", target: { kind: "HelmRelease", name: "pos" } },
          { patch: config("x", "data: { on: off }\n"), target: { kind: "ConfigMap", name: "tools" } },
        ],
        ...more,
      }),
      [`clusters/${name}/apps/values/pos.yaml`]: `# Twice the tills\n${release("pos", `{ values: { site: ${name} } }`)}`,
    });
    const { clusters, fleet, notes, err } = await importOf(
      {
        ...cluster("a"),
        ...cluster("b"),
        ...cluster("c", { namePrefix: "c-" }),
        "apps/pos/kustomization.yaml": list({ resources: ["release.yaml"] }),
        "apps/pos/release.yaml": release("pos", "{ interval: 5m }"),
        "more/tools/kustomization.yaml": list({ resources: ["tools.yaml"] }),
        "more/tools/tools.yaml": config("tools"),
      },
      "clusters",
    );
    const apps = (site: string) => ({
      pos: { values: { site } },
      tools: {
        path: "./more/tools",
        patches: [
          {
            target: { kind: "ConfigMap", name: "tools" },
            patch: { data: { on: "off" } },
          },
        ],
      },
    });
    expect(clusters["a"]).toMatchObject({ apps: apps("a") });
    expect(clusters["b"]).toMatchObject({ apps: apps("b") });
    expect(clusters["a"]!.sets!["apps-base"]).toEqual({ dependsOn: [] });
    expect(clusters["c"]).not.toHaveProperty("apps");
    expect(clusters["c"]!.sets!["apps-base"]).toMatchObject({ path: "./clusters/c/apps" });
    expect(fleet["groups"]).toMatchObject({ all: { sets: { infrastructure: {} } } });
    expect(err.split("\n")[0]).toMatch(/^3 clusters, 6 sets, no sources; 6 of 6 mean the same/);
    expect(notes.filter((line) => line.includes("Twice the tills")).join("\n")).toMatch(
      /^clusters\/a\/apps\/values\/pos\.yaml, clusters\/b\/apps\/values\/pos\.yaml: has a comment in line 1/,
    );
    const fits = await run("validate --repo repo");
    expect([fits.code, fits.err]).toEqual([0, expect.not.stringContaining("error") as string]);
  });

  it("leaves out a set with a variable that its root takes from the cluster, and no set with one that stays text", async () => {
    const { clusters, notes } = await importOf({
      "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a", {
        postBuild: { substitute: { SITE: "north" }, substituteFrom: [{ kind: "ConfigMap", name: "vars" }] },
      }),
      "clusters/a/shop.yaml": set("shop", {
        path: "./apps/${SITE}",
        patches: [{ target: { kind: "Deployment" }, patch: '- { op: add, path: /x, value: "$${KEPT}" }\n' }],
      }),
      "clusters/a/web.yaml": set("web", { path: "./apps/${REGION}" }),
      "clusters/a/next.yaml": set("next", { dependsOn: [{ name: "web" }] }),
    });
    expect(Object.keys(clusters["a"]!.sets!).sort()).toEqual(["next", "shop"]);
    expect(clusters["a"]!.sets!["next"]).toMatchObject({ dependsOn: [{ name: "web", external: true }] });
    expect(notes[0]).toBe(
      "clusters/a/web.yaml: Kustomization web: is left out: it names REGION, whose value only the cluster knows; write the value in its file first",
    );
    expect(notes.join("\n")).toContain("spec.postBuild.substituteFrom: only the cluster knows these values");
  });

  it("takes what a set applies, and says what goes with the root", async () => {
    const { clusters, notes } = await importOf({
      "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a"),
      "clusters/a/apps.yaml": set("apps", { path: "./tree" }),
      "clusters/a/next.yaml": set("next", { dependsOn: [{ name: "inner" }] }),
      "clusters/a/settings.yaml": stringify({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "settings", namespace: "flux-system" },
      }),
      "tree/inner.yaml": set("inner"),
      "apps/inner/cm.yaml": configMap("inner"),
      "apps/next/cm.yaml": configMap("next"),
    });
    expect(Object.keys(clusters["a"]!.sets!)).toEqual(["apps", "next", "inner"]);
    expect(clusters["a"]!.sets!["next"]).toMatchObject({ dependsOn: ["inner"] });
    // One owner for inner: the generated file, which the set leaves alone.
    const { err } = await run("validate --repo repo");
    expect(err).toBe("");
    expect(notes.join("\n")).toMatch(
      /ConfigMap settings: is left out: Kustomization flux-system applies it itself, and takes it along/,
    );
  });

  it("leaves a source that a set applies too with that set", async () => {
    const charts = stringify({
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata: { name: "charts", namespace: "flux-system" },
      spec: { interval: "1h", url: "https://git.example.org/charts.git" },
    });
    const sourceRef = { kind: "GitRepository", name: "charts" };
    const { clusters, fleet, notes } = await importOf(
      {
        "clusters/a/flux-system/gotk-sync.yaml": root("clusters/a"),
        "clusters/a/sources.yaml": set("sources", { path: "./clusters/a/sources" }),
        "clusters/a/shop.yaml": set("shop", { sourceRef }),
        "clusters/a/sources/charts.yaml": charts,
        "clusters/b/flux-system/gotk-sync.yaml": root("clusters/b"),
        "clusters/b/shop.yaml": set("shop", { sourceRef }),
        "clusters/b/charts.yaml": charts,
      },
      "clusters",
    );
    expect(fleet["sources"]).toBeUndefined();
    expect(fleet["sets"]).toMatchObject({ shop: { sourceRef } });
    expect(Object.keys(clusters)).toEqual(["a", "b"]);
    expect(notes.find((line) => line.startsWith("clusters/b/charts.yaml"))).toContain(
      "a set applies it on other clusters",
    );
    expect(notes.join("\n")).toContain("GitRepository charts: stays with set sources, which applies it too");
    const { code, err } = await run("validate --repo repo");
    expect([code, err]).toEqual([0, expect.not.stringContaining("two-owners") as unknown]);
  });
});

it("takes what kubectl prints, without what the cluster wrote, and leaves out what sets applied (T10)", async () => {
  const items = [
    set("flux-system", { path: "./clusters/a" }, labelled("flux-system", "flux-system")),
    set("shop", {}, labelled("shop", "flux-system")),
    set("inner", {}, labelled("inner", "shop")),
  ].map((text) => parse(text) as unknown);
  await save(stringify({ apiVersion: "v1", kind: "List", items }), "live.yaml");
  const { code, out, err } = await run("import live.yaml --cluster edge-7");
  expect(code).toBe(0);
  expect((parse(out) as { clusters: Clusters }).clusters).toEqual({
    "edge-7": { sets: { shop: { path: "./apps/shop", interval: "10m", prune: true } } },
  });
  expect(err.split("\n")[0]).toBe("1 cluster, 1 set, no sources; 1 of 1 mean the same as before.");
  expect(err).not.toContain("uid");

  function labelled(name: string, parent: string): object {
    return {
      uid: `${name}-1`,
      generation: 3,
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: {
        "kustomize.toolkit.fluxcd.io/name": parent,
        "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
      },
      annotations: { "reconcile.fluxcd.io/requestedAt": "2026-01-01T00:00:00Z" },
    };
  }
});
