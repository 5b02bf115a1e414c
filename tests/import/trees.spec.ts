import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type Builder, openBuilder } from "../../build/index.ts";
import { treeWith } from "../../checks/applied/index.ts";
import { importRepository } from "../../import/index.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { configMap as configMapIn, list, set } from "./manifests.ts";

/* Trees in which Kustomizations apply Kustomizations, and roots of flux-operator; real kustomize builds them. */

const builder = openBuilder() as Builder;
afterAll(() => builder.close());

type Fields = Readonly<Record<string, unknown>>;

const release = (values: Fields): string =>
  stringify({
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name: "flux-instance", namespace: "flux-system" },
    spec: { interval: "1h", chartRef: { kind: "OCIRepository", name: "flux-instance" }, ...values },
  });

const sync = { kind: "GitRepository", url: "https://git.example.org/f.git", ref: "refs/heads/main" };
const rootAt = (path: string): Record<string, string> => ({
  "flux/instance.yaml": release({ values: { instance: { sync: { ...sync, path } } } }),
});
const configMap = (name: string): string => configMapIn(name, "flux-system");

interface Read {
  readonly sets?: Readonly<Record<string, Fields>>;
  readonly kubeconfig?: unknown;
}

/** Imports a whole repository; what comes out must load without an error. */
async function importOf(files: Readonly<Record<string, string>>) {
  const tree = treeWith(undefined, new Map(Object.entries(files)), new Set());
  const imported = await importRepository(tree, "", builder);
  mustLoad(imported.fleetYaml);
  const fleet = parse(imported.fleetYaml) as { readonly clusters: Readonly<Record<string, Read>> } & Fields;
  const reasons = imported.notTaken.map(({ path, reason }) => `${path}: ${reason}`);
  return { ...imported, fleet, reasons };
}

/** What a Kustomization with these patches builds of a folder, as `Kind name`. */
async function built(files: Readonly<Record<string, string>>, { path, patches }: Fields): Promise<string[]> {
  const tree = treeWith(undefined, new Map(Object.entries(files)), new Set());
  const [outcome] = await builder.build([
    { tree, spec: { path: path as string, patches: patches as never } },
  ]);
  if (outcome?.kind !== "built") throw new Error(JSON.stringify(outcome));
  return outcome.objects.map(({ object }) => {
    const { kind, metadata } = object as {
      readonly kind: string;
      readonly metadata: { readonly name: string };
    };
    return `${kind} ${metadata.name}`;
  });
}

describe("sets that apply sets", () => {
  const files = {
    ...rootAt("cluster"),
    "cluster/apps.yaml": set("apps", { path: "./tree" }),
    "cluster/next.yaml": set("next", { dependsOn: [{ name: "deep.er", namespace: "shop" }] }),
    "tree/a.yaml": set("inner", { path: "./inner" }),
    "tree/b.yaml": configMap("settings"),
    "inner/deep.yaml": set("deep.er", { path: "./deep", wait: true }, { namespace: "shop" }),
    "deep/cm.yaml": configMap("deep"),
  };

  it("are taken at every depth; each is left out of what applies it, which goes on with the rest", async () => {
    const { fleet, summary, reasons, proof } = await importOf(files);
    const sets = fleet.clusters["cluster"]!.sets!;
    expect(Object.keys(sets).sort()).toEqual(["apps", "deep.er", "inner", "next"]);
    expect(sets["deep.er"]).toEqual({
      namespace: "shop",
      ...{ path: "./deep", interval: "10m", prune: true, wait: true },
      // The source is in flux-system only if the set says so.
      sourceRef: { kind: "GitRepository", name: "flux-system", namespace: "shop" },
    });
    expect(await built(files, sets["apps"]!)).toEqual(["ConfigMap settings"]);
    expect(await built(files, sets["inner"]!)).toEqual([]);
    expect(sets["apps"]).toMatchObject({ prune: false });
    expect(proof).toEqual({
      equal: 2,
      differ: ["apps", "inner"].map((name) => ({
        ...{ cluster: "cluster", set: name, fields: ["spec.patches", "spec.prune"] },
      })),
    });
    expect(summary).toBe("1 cluster, 4 sets, no sources; 2 of 4 mean the same as before.");
    expect(reasons).toContainEqual(
      "Kustomization apps: applies inner, which is a set of its own now: it leaves it out by a patch, with " +
        "prune: false; write prune as it was once the new bootstrap owns it",
    );
  });

  it("stay with what applies them where a fleet file cannot say the same, with all below them", async () => {
    const tree = (name: string, fields: Fields, inner: Fields = {}): Record<string, string> => ({
      [`cluster/${name}.yaml`]: set(name, { path: `./${name}`, ...fields }),
      [`${name}/ks.yaml`]: set(`${name}-inner`, { path: `./${name}-inner`, ...inner }),
    });
    const { fleet, reasons, summary } = await importOf({
      ...rootAt("cluster"),
      ...tree("remote", { kubeConfig: { secretRef: { name: "far" } } }),
      ...tree("paused", { suspend: true }),
      ...tree("waited", { wait: true }),
      "cluster/waiting.yaml": set("waiting", { dependsOn: [{ name: "waited" }] }),
      ...tree(
        "filled",
        { postBuild: { substituteFrom: [{ kind: "Secret", name: "s" }] } },
        { path: "./filled-inner/${REGION}" },
      ),
      // Filled in from Git alone, so that what comes out is known.
      ...tree("known", { postBuild: { substitute: { REGION: "north" } } }, { path: "./known/${REGION}" }),
      ...tree("bootstrap", {}),
      "cluster/named.yaml": set("named", { path: "./named", postBuild: { substitute: { APP: "shop" } } }),
      "named/ks.yaml": set("${APP}-db", { path: "./named-inner" }),
      "filled-inner/a/ks.yaml": set("below"),
      "known/north/cm.yaml": configMap("north"),
    });
    const sets = fleet.clusters["cluster"]!.sets!;
    expect(Object.keys(sets).sort()).toEqual(
      ["filled", "known", "known-inner", "named", "paused", "remote", "waited", "waiting"].sort(),
    );
    expect(sets["known-inner"]!["path"]).toBe("./known/north");
    for (const name of ["filled", "named", "paused", "remote", "waited"])
      expect(sets[name]!["patches"]).toBe(undefined);
    const said = (name: string) =>
      reasons.find((each) => each.startsWith(`Kustomization ${name}: is left out`));
    expect(said("remote-inner")).toMatch(/stays with remote, since it applies this to another cluster$/);
    expect(said("paused-inner")).toMatch(/stays with paused, since it is suspended, /);
    expect(said("waited-inner")).toMatch(/stays with waited, since others depend on it, and it waits /);
    expect(said("shop-db")).toMatch(/stays with named, since a prefix or a variable makes its name of /);
    expect(said("filled-inner")).toMatch(
      /stays with filled, since it fills in REGION, whose value only the cluster/,
    );
    expect(said("bootstrap-inner")).toMatch(
      /stays with bootstrap, since it is no set of the fleet file itself$/,
    );
    expect(summary).toContain("8 Kustomizations left out");
  });

  it("stay with one that validate refuses", async () => {
    const { fleet, reasons } = await importOf({
      ...rootAt("cluster"),
      "cluster/often.yaml": set("often", { path: "./often", interval: "30s" }),
      "cluster/other.yaml": set("other"),
      "often/ks.yaml": set("inner"),
    });
    expect(Object.keys(fleet.clusters["cluster"]!.sets!)).toEqual(["other"]);
    expect(reasons.filter((each) => each.includes("often, which applies it, is left out"))).toHaveLength(1);
  });

  it("of one name in two namespaces stay: one patch would leave out both", async () => {
    const { fleet } = await importOf({
      ...rootAt("cluster"),
      "cluster/apps.yaml": set("apps", { path: "./tree" }),
      "tree/a.yaml": set("twin", {}, { namespace: "a" }),
      "tree/b.yaml": set("twin", {}, { namespace: "b" }),
    });
    expect(Object.keys(fleet.clusters["cluster"]!.sets!)).toEqual(["apps"]);
  });
});

describe("roots of flux-operator", () => {
  it("is what a ResourceSet installs, with the values of a file that kustomize makes a ConfigMap of", async () => {
    const chart = parse(release({ valuesFrom: [{ kind: "ConfigMap", name: "instance-values" }] })) as Fields;
    const { fleet } = await importOf({
      "ops/flux.yaml": stringify({
        apiVersion: "fluxcd.controlplane.io/v1",
        kind: "ResourceSet",
        metadata: { name: "flux", namespace: "flux-system" },
        spec: { resources: [chart] },
      }),
      "ops/kustomization.yaml": list({
        resources: ["flux.yaml"],
        configMapGenerator: [{ name: "instance-values", files: ["values.yaml=./in.yaml"] }],
      }),
      "ops/in.yaml": stringify({ instance: { sync: { ...sync, path: "cluster" } } }),
      "cluster/shop.yaml": set("shop"),
      "apps/ks.yaml": set("asleep"),
    });
    expect(fleet["repository"]).toEqual({ url: "https://git.example.org/f.git", branch: "main" });
    expect(Object.keys(fleet.clusters["cluster"]!.sets!)).toEqual(["shop"]);
  });

  it("takes an artifact for what it is made of, wherever in the repository, and keeps it as a source", async () => {
    const artifact = {
      kind: "OCIRepository",
      url: "oci://registry.example.org/f",
      ref: "v1",
      path: "clusters/a",
    };
    const patch = {
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "OCIRepository",
      metadata: { name: "any" },
    };
    const { fleet, reasons, proof } = await importOf({
      "k8s/clusters/a/flux.yaml": release({
        values: {
          instance: {
            sync: { ...artifact, pullSecret: "pull" },
            kustomize: {
              patches: [
                {
                  target: { kind: "OCIRepository" },
                  patch: stringify({ ...patch, spec: { insecure: true } }),
                },
                { target: { kind: "Deployment" }, patch: "- { op: remove, path: /spec/replicas }" },
              ],
            },
          },
        },
      }),
      "k8s/clusters/a/apps.yaml": set("apps", {
        ...{ path: "./tree", sourceRef: { kind: "OCIRepository", name: "flux-system" } },
      }),
      "k8s/tree/inner.yaml": set("inner", { sourceRef: { kind: "OCIRepository", name: "flux-system" } }),
    });
    expect(fleet["sources"]).toEqual({
      "flux-system": {
        ...{ kind: "OCIRepository", url: "oci://registry.example.org/f", interval: "1m", insecure: true },
        ...{ ref: { tag: "v1" }, secretRef: { name: "pull" } },
      },
    });
    expect(fleet.clusters["a"]!.sets).toMatchObject({
      apps: { path: "./tree", source: "flux-system" },
      inner: { path: "./apps/inner", source: "flux-system" },
    });
    expect(proof.equal).toBe(1);
    expect(reasons.find((each) => each.startsWith("repository.url"))).toMatch(
      /HelmRelease flux-instance takes an artifact\. Write the Git repository that it is made of/,
    );
  });

  it("leaves out a set whose variables the root fills in from the cluster, by a patch of the instance", async () => {
    const substituteFrom = [{ kind: "ConfigMap", name: "site" }];
    const patch = stringify({
      ...{ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata: { name: "any" } },
      spec: { postBuild: { substituteFrom } },
    });
    const patches = [{ target: { kind: "Kustomization", name: "flux-system" }, patch }];
    const instance = { sync: { ...sync, path: "cluster" }, kustomize: { patches } };
    const { fleet, reasons } = await importOf({
      "flux/instance.yaml": release({ values: { instance } }),
      "cluster/shop.yaml": set("shop"),
      "cluster/site.yaml": set("site", { path: "./sites/${SITE}" }),
    });
    expect(Object.keys(fleet.clusters["cluster"]!.sets!)).toEqual(["shop"]);
    expect(reasons.join("\n")).toMatch(
      /Kustomization site: is left out: it names SITE, whose value only the cluster knows/,
    );
  });
});

it("without a root follows the source that most Kustomizations take folders of the repository from", async () => {
  const sourceRef = { kind: "GitRepository", name: "town", namespace: "ops" };
  const { fleet, summary } = await importOf({
    "boot/apps.yaml": set("apps", { path: "./tree", sourceRef }),
    "boot/charts.yaml": set("charts", { sourceRef: { kind: "OCIRepository", name: "charts" } }),
    "boot/town.yaml": stringify({
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata: { name: "town", namespace: "ops" },
      spec: { interval: "1m", url: "https://git.example.org/town.git" },
    }),
    "tree/shop.yaml": set("shop", { sourceRef, path: "./apps/shop" }),
    // Nobody has a root of that name, so it is a set like any.
    "tree/flux.yaml": set("flux-system", { sourceRef, path: "./apps/shop" }),
    "apps/shop/cm.yaml": configMap("shop"),
  });
  expect(summary).toMatch(/^1 cluster, 4 sets, /);
  const { apps, shop, ...others } = fleet.clusters["boot"]!.sets!;
  expect(Object.keys(others)).toEqual(["charts", "flux-system"]);
  expect([apps!["sourceRef"], shop!["sourceRef"]]).toEqual([undefined, undefined]);
});
