import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { workFolder } from "./workFolder.ts";

/* What import takes is what Flux builds of a tree. Small trees in the shapes of public ones; real kustomize builds them. */

const { path, save, run } = workFolder();

function set(name: string, fields: object = {}, metadata: object = {}): string {
  return stringify({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name, namespace: "flux-system", ...metadata },
    spec: {
      interval: "10m",
      prune: true,
      path: `./apps/${name}`,
      sourceRef: { kind: "GitRepository", name: "flux-system" },
      ...fields,
    },
  });
}

/** What `flux bootstrap` leaves in a folder. */
function root(folder: string, fields: object = {}, source = "flux-system"): string {
  const repository = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: source, namespace: "flux-system" },
    spec: { interval: "1m", url: "https://git.example.org/f.git", ref: { branch: "main" } },
  };
  const sourceRef = { kind: "GitRepository", name: source };
  return `${stringify(repository)}---\n${set("flux-system", { path: `./${folder}`, sourceRef, ...fields })}`;
}

const list = (more: object): string =>
  stringify({ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...more });

const configMap = (name: string): string =>
  stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" } });

interface Clusters {
  readonly [name: string]: {
    readonly folder?: string;
    readonly sets?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** Imports a folder of a repository with these files; the fleet file must be one that validates. */
async function importOf(files: Readonly<Record<string, string>>, args = "clusters/a") {
  await save("ref: refs/heads/main\n", "repo/.git/HEAD");
  for (const [name, text] of Object.entries(files)) await save(text, `repo/${name}`);
  const { code, out, err } = await run(`import repo/${args} --out fleet.yaml`);
  const notes = err.split("\n").slice(1, -1);
  if (code !== 0)
    return { code, out, err, notes, fleet: {} as Record<string, unknown>, clusters: {} as Clusters };
  const fleet = parse(await readFile(join(path(), "fleet.yaml"), "utf8")) as Record<string, unknown>;
  const valid = await run("validate");
  expect(valid.err).not.toContain("error");
  expect(valid.code).toBe(0);
  return { code, out, err, notes, fleet, clusters: fleet["clusters"] as Clusters };
}

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

  it("names comments that would be lost, once a file; heads of generated files and texts of values have none", async () => {
    const { notes } = await importOf({
      "clusters/a/flux-system/gotk-sync.yaml": `# This manifest was generated by flux. DO NOT EDIT.\n${root("clusters/a")}`,
      "clusters/a/flux-system/kustomization.yaml": list({ resources: ["gotk-sync.yaml"] }),
      "clusters/a/kustomization.yaml": `${list({ resources: ["flux-system", "shop.yaml", "quiet.yaml", "../../shared"] })}  # - off.yaml\n`,
      "clusters/a/shop.yaml": `# Ask the till team before you change this.\n${set("shop")}  # password: hunter2\n`,
      "clusters/a/quiet.yaml": `# yaml-language-server: $schema=https://example.org/k.json\n${set("quiet", {
        patches: [{ target: { kind: "Deployment" }, patch: "# of the patch\n- { op: test, path: /x }\n" }],
      })}`,
      "clusters/a/asleep.yaml": `# Not applied, so it stays.\n${set("asleep")}`,
      "shared/kustomization.yaml": list({ resources: ["common.yaml"] }),
      "shared/common.yaml": `${set("common")}# Shared with the north\n`,
    });
    const lost = notes.filter((line) => line.includes("comment"));
    expect(lost.map((line) => line.split(", which ")[0]).sort()).toEqual([
      "clusters/a/kustomization.yaml: has a comment in line 8",
      "clusters/a/shop.yaml: has 2 comments, the first in line 1 “Ask the till team before you …”",
      "shared/common.yaml: has a comment in line 13 “Shared with the north …”",
    ]);
    expect(notes.join("\n")).not.toContain("hunter2");
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

  it("is of flux-operator's instance as of a root", async () => {
    const instance = stringify({
      apiVersion: "fluxcd.controlplane.io/v1",
      kind: "FluxInstance",
      metadata: { name: "flux", namespace: "flux-system" },
      spec: {
        sync: {
          kind: "GitRepository",
          url: "https://git.example.org/f.git",
          ref: "refs/heads/prod",
          path: "clusters/a",
          pullSecret: "token",
        },
      },
    });
    const { fleet, clusters } = await importOf({
      "clusters/a/flux-instance.yaml": instance,
      "clusters/a/shop.yaml": set("shop"),
    });
    expect(fleet["repository"]).toEqual({
      url: "https://git.example.org/f.git",
      branch: "prod",
      access: "token",
    });
    expect(Object.keys(clusters["a"]!.sets!)).toEqual(["shop"]);
  });

  it("takes the others where Flux cannot build one, and ends with 1", async () => {
    await save("ref: refs/heads/main\n", "repo/.git/HEAD");
    await save(root("clusters/a"), "repo/clusters/a/flux-system/gotk-sync.yaml");
    await save(list({ resources: ["gone.yaml"] }), "repo/clusters/a/kustomization.yaml");
    await save(root("clusters/b"), "repo/clusters/b/flux-system/gotk-sync.yaml");
    await save(set("shop"), "repo/clusters/b/shop.yaml");
    const { code, out, err } = await run("import repo/clusters");
    expect(code).toBe(1);
    expect(Object.keys((parse(out) as { clusters: object }).clusters)).toEqual(["b"]);
    expect(err).toMatch(/1 of 1 mean the same as before; 1 folder without a build left out\.\n/);
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

  it("says of a repository of templates that what comes of them lies elsewhere", async () => {
    const template = stringify({
      apiVersion: "scheduler.example.org/v1",
      kind: "Template",
      metadata: { name: "flux" },
      spec: { manifests: [set("{{ .Name }}", { path: "{{ .Path }}" })] },
    });
    const { code, err } = await importOf({ "templates/flux.yaml": template }, "");
    expect(code).toBe(2);
    expect(err).toContain(
      "templates/flux.yaml: Template flux: is left out: it holds a Kustomization of Flux as text, which another tool fills in",
    );
  });

  it("refuses a folder that Flux cannot build, in kustomize's words", async () => {
    const { code, out, err } = await importOf({
      "clusters/a/kustomization.yaml": list({ resources: ["gone.yaml"] }),
      "clusters/a/shop.yaml": set("shop"),
    });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/clusters\/a: does not build, so its clusters are left out: .*gone\.yaml/);
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
