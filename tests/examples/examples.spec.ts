import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { arcflux } from "../cli/process.ts";

const root = join(import.meta.dirname, "../../examples");
const names = (await readdir(root, { withFileTypes: true }))
  // One without a fleet file shows a workflow.
  .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, "fleet.yaml")))
  .map(({ name }) => name)
  .sort();

interface Kustomization {
  readonly metadata: { readonly name: string; readonly labels?: unknown; readonly annotations?: unknown };
  readonly spec: Readonly<Record<string, unknown>>;
}

const rendered = (example: string, path: string) => readFile(join(root, example, "rendered", path), "utf8");
/** Spec of the one object in a rendered file, as a reader of our own choice reads it. */
const spec = async (example: string, path: string) =>
  (load(await rendered(example, `${path}.yaml`)) as Kustomization).spec;
const files = async (example: string) =>
  (await readdir(join(root, example, "rendered"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, example, "rendered").length + 1))
    .sort();

describe("every example", () => {
  it("is one of those that the README lists", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    expect([...readme.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name).sort()).toEqual(names);
  });

  it.each(names)("%s has nothing to find, even with --strict", async (name) => {
    const { code, err } = await arcflux(["validate", `${name}/fleet.yaml`, "--strict"], root);
    expect([code, err]).toEqual([0, ""]);
  });

  it.each(names)("%s renders to exactly the files that are committed beside it", async (name) => {
    const { code, out } = await arcflux(["render", `${name}/fleet.yaml`, "--json"], root);
    const { files: made } = JSON.parse(out) as { files: Record<string, string> };
    expect([code, Object.keys(made).sort()]).toEqual([0, await files(name)]);
    for (const [path, text] of Object.entries(made)) expect(await rendered(name, path), path).toBe(text);
  });
});

describe("edge-device", () => {
  const flux = "clusters/edge-device-0/flux";

  it("has live sets that follow Git, and windowed ones that follow their window", async () => {
    expect((await spec("edge-device", `${flux}/infrastructure`))["suspend"]).toBeUndefined();
    expect(await spec("edge-device", `${flux}/monitoring`)).toEqual({
      sourceRef: { kind: "GitRepository", name: "edge-config" },
      path: "./apps/monitoring",
      interval: "5m",
      retryInterval: "2m",
      timeout: "5m",
      prune: true,
      wait: true,
      dependsOn: [{ name: "infrastructure" }],
      postBuild: {
        substitute: { arcflux_cluster: "edge-device-0", site_code: "0042", meta_productive: "true" },
      },
    });
    const inWindow = "clusters/edge-device-0/windows";
    const pos = await spec("edge-device", `${inWindow}/nightly/pos`);
    expect([pos["sourceRef"], pos["wait"]]).toEqual([
      { kind: "GitRepository", name: "window-nightly" },
      undefined,
    ]);
    expect(pos["healthChecks"]).toEqual([
      { apiVersion: "apps/v1", kind: "Deployment", name: "pos", namespace: "pos" },
    ]);
    const signage = await spec("edge-device", `${inWindow}/weekend/signage`);
    expect([signage["sourceRef"], signage["path"], signage["timeout"]]).toEqual([
      { kind: "GitRepository", name: "window-weekend" },
      "./clusters/edge-device-0/sets/signage",
      "8m",
    ]);
  });

  it("fetches every ten minutes at the hours of the shop, and holds nothing by the label in Git", async () => {
    for (const [window, ...schedules] of [
      ["nightly", "*/10 1-3 * * *", "5 * * * *"],
      ["weekend", "*/10 0-5 * * 0", "*/10 22-23 * * 6", "5 * * * *"],
    ] as const) {
      const objects = loadAll(await rendered("edge-device", `${flux}/window-${window}.yaml`));
      const jobs = objects.filter(
        (object): object is Kustomization => (object as { kind?: string } | null)?.kind === "CronJob",
      );
      expect(jobs.map((job) => [job.spec["schedule"], job.spec["timeZone"]]).sort()).toEqual(
        schedules.map((schedule) => [schedule, "Europe/Berlin"]).sort(),
      );
    }
    for (const path of await files("edge-device")) {
      const [first] = loadAll(await rendered("edge-device", path)) as Kustomization[];
      expect(first?.metadata.labels ?? {}).not.toHaveProperty(["kustomize.toolkit.fluxcd.io/reconcile"]);
    }
  });
});

describe("pinned-infrastructure", () => {
  it("pins the same repository per cluster: the fleet's tag, the ring's, one commit", async () => {
    const refs = ["store-001", "store-002", "store-003"].map(async (cluster) => {
      const { url, ref } = await spec(
        "pinned-infrastructure",
        `clusters/${cluster}/flux/source-infrastructure`,
      );
      return { url, ref };
    });
    const url = "https://git.example.com/edge/fleet.git";
    expect(await Promise.all(refs)).toEqual([
      { url, ref: { tag: "v1.5.0-rc.1" } },
      { url, ref: { tag: "v1.4.0" } },
      { url, ref: { commit: "8f3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b" } },
    ]);
    const { sourceRef } = await spec("pinned-infrastructure", "clusters/store-001/flux/infrastructure");
    expect(sourceRef).toEqual({ kind: "GitRepository", name: "infrastructure" });
  });

  it("takes apps from the branch, patched in one store and left out in another", async () => {
    const apps = async (cluster: string) =>
      load(await rendered("pinned-infrastructure", `clusters/${cluster}/apps/kustomization.yaml`));
    const config = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization" };
    expect(await apps("store-001")).toEqual({
      ...config,
      resources: ["../../../apps/pos", "../../../apps/signage"],
      patches: [{ path: "values/pos.yaml", target: { kind: "HelmRelease", name: "pos" } }],
    });
    expect(await apps("store-002")).toEqual({ ...config, resources: ["../../../apps/pos"] });
    expect(load(await rendered("pinned-infrastructure", "clusters/store-001/apps/values/pos.yaml"))).toEqual({
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      metadata: { name: "pos" },
      spec: { chart: { spec: { version: "3.1.0" } } },
    });
    const base = await spec("pinned-infrastructure", "clusters/store-001/flux/apps-base");
    expect([base["path"], base["dependsOn"]]).toEqual([
      "./clusters/store-001/apps",
      [{ name: "infrastructure" }],
    ]);
  });
});

describe("stages", () => {
  it("differ in branch, timing, sets and variables, and the cluster has the last word", async () => {
    const ref = async (cluster: string) =>
      (await spec("stages", `clusters/${cluster}/flux/source-infrastructure`))["ref"];
    expect(await Promise.all(["lab-1", "pilot-1", "store-001"].map(ref))).toEqual([
      { branch: "main" },
      { semver: "1.x" },
      { tag: "v1.4.0" },
    ]);
    const pos = (cluster: string) => spec("stages", `clusters/${cluster}/flux/pos`);
    const shown = async (cluster: string) => {
      const { interval, deletionPolicy, postBuild } = await pos(cluster);
      return [interval, deletionPolicy, postBuild];
    };
    const level = (arcflux_cluster: string, arcflux_stage: string, log_level: string) => ({
      substitute: { arcflux_cluster, arcflux_stage, log_level },
    });
    expect(await shown("lab-1")).toEqual(["2m", undefined, level("lab-1", "dev", "debug")]);
    expect(await shown("pilot-1")).toEqual(["10m", undefined, level("pilot-1", "test", "info")]);
    expect(await shown("store-001")).toEqual(["10m", "Orphan", level("store-001", "prod", "warn")]);
    expect(await shown("store-002")).toEqual(["10m", "Orphan", level("store-002", "prod", "debug")]);
    expect((await files("stages")).filter((path) => path.endsWith("debug-tools.yaml"))).toEqual([
      "clusters/lab-1/flux/debug-tools.yaml",
    ]);
  });

  it("patches an app by group and cluster, neither over the other", async () => {
    const values = async (cluster: string) => spec("stages", `clusters/${cluster}/apps/values/signage`);
    const chart = { spec: { version: "2.3.1" } };
    expect(await values("store-001")).toEqual({ chart, values: { currency: "EUR" } });
    expect(await values("store-002")).toEqual({ chart, values: { currency: "EUR", screens: 3 } });
  });
});

describe("blue-green", () => {
  it("lays folders out by environment and slot, and stops what runs in the idle one, but its infrastructure", async () => {
    const stopped = async (place: string, set: string) => {
      const { suspend, patches } = await spec("blue-green", `clusters/${place}/flux/${set}`);
      // Suspending the Kustomization would leave running what runs.
      expect(suspend).toBeUndefined();
      return (patches as { target: { kind: string } }[] | undefined)?.map(({ target }) => target.kind);
    };
    const kinds = ["Deployment", "StatefulSet", "CronJob", "HelmRelease"];
    const places = ["staging/blue", "production/blue", "production/green"];
    const all = places.map(async (place) => [
      place,
      ...(await Promise.all(["infrastructure", "shop", "jobs"].map((set) => stopped(place, set)))),
    ]);
    expect(await Promise.all(all)).toEqual([
      ["staging/blue", undefined, undefined, undefined],
      ["production/blue", undefined, kinds, kinds],
      ["production/green", undefined, undefined, undefined],
    ]);
    const { postBuild } = await spec("blue-green", "clusters/production/green/flux/shop");
    expect(postBuild).toEqual({
      substitute: { arcflux_cluster: "production-green", slot: "green", version: "2.4.0" },
    });
  });
});

describe("cluster-api", () => {
  it("is one tree of a temporary management cluster, a permanent one and those that it makes", async () => {
    const management = (name: string) =>
      ["cluster-api", "clusters", "packs"].map((set) => `clusters/${name}/flux/${set}.yaml`);
    expect(await files("cluster-api")).toEqual([
      ...management("mgmt"),
      ...["infrastructure", "shop"].map((set) => `clusters/staging/blue/flux/${set}.yaml`),
      ...management("tmp-mgmt"),
    ]);
    const { path, prune, dependsOn } = await spec("cluster-api", "clusters/mgmt/flux/clusters");
    // Who loses the file of a Cluster must not lose the cluster.
    expect([path, prune, dependsOn]).toEqual(["./clusters/mgmt/sets/clusters", false, [{ name: "packs" }]]);
  });
});

describe("multi-tenant", () => {
  it("keeps each team in its namespace, with its rights, its source and its channel", async () => {
    const catalog = await spec("multi-tenant", "clusters/plant-1/flux/team-catalog");
    expect(catalog).toEqual({
      sourceRef: { kind: "OCIRepository", name: "team-catalog" },
      path: "./",
      interval: "10m",
      retryInterval: "2m",
      timeout: "5m",
      prune: true,
      wait: true,
      targetNamespace: "catalog",
      serviceAccountName: "tenant-catalog",
      dependsOn: [{ name: "limits" }, { name: "tenant-catalog" }],
      decryption: { provider: "sops", secretRef: { name: "catalog-sops" } },
    });
    const checkout = await spec("multi-tenant", "clusters/plant-2/flux/team-checkout");
    expect([checkout["targetNamespace"], checkout["serviceAccountName"]]).toEqual([
      "checkout",
      "tenant-checkout",
    ]);
    const objects = loadAll(await rendered("multi-tenant", "clusters/plant-2/flux/alert-checkout.yaml"));
    expect(objects).toMatchObject([
      { kind: "Provider", spec: { type: "msteams", secretRef: { name: "checkout-teams" } } },
      {
        kind: "Alert",
        spec: { eventSeverity: "error", eventSources: [{ kind: "Kustomization", name: "team-checkout" }] },
      },
    ]);
    expect(await files("multi-tenant")).not.toContain("clusters/plant-2/flux/source-team-catalog.yaml");
  });

  it("never reaches into another namespace, which lockdown refuses", async () => {
    const all = await files("multi-tenant");
    expect(all).toContain("clusters/plant-1/tenants/catalog/namespace-catalog.yaml");
    expect(all).not.toContain("clusters/plant-2/tenants/catalog/namespace-catalog.yaml");
    for (const path of all.filter((one) => !one.includes("/tenants/"))) {
      for (const object of loadAll(await rendered("multi-tenant", path)) as Kustomization[]) {
        expect(object.metadata).toMatchObject({ namespace: "flux-system" });
        expect(JSON.stringify(object.spec)).not.toMatch(/"namespace":/);
      }
    }
  });
});
