import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { applyPlan, planApply } from "../../apply/index.ts";
import { openBuilder } from "../../build/index.ts";
import { folderTree } from "../../checks/folderTree.ts";
import { type GitServer, startGitServer } from "../../lab/gitServer.ts";
import { cacheFolder } from "../../values/cacheFolder.ts";
import { MemoryCluster } from "../apply/memoryCluster.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { StageShop } from "../stages/stageShop.ts";

/* The flows of docs/guide/pinned-infrastructure.md, one after the other on the example as it is. */

const example = join(import.meta.dirname, "../../examples/pinned-infrastructure");
// The engine that set-up built is in the user's own cache.
const cache = cacheFolder(process.env);
let shop: StageShop;
let server: GitServer;

/** Manifests of the example, by path. */
function manifests(): Record<string, string> {
  const folders = ["infrastructure", "apps"].flatMap((folder) =>
    readdirSync(join(example, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    ),
  );
  const files = folders.filter((path) => path.endsWith(".yaml"));
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(example, path), "utf8")]));
}

beforeAll(async () => {
  shop = await StageShop.open(manifests());
  vi.stubEnv("ARCFLUX_CACHE_DIR", cache);
  for (const tag of ["v1.4.0", "v1.5.0-rc.1"]) shop.git("tag", tag, "main");
  server = await startGitServer({ root: shop.shop.folder });
  const text = readFileSync(join(example, "fleet.yaml"), "utf8")
    .replace("https://git.example.com/edge/fleet.git", `${server.url}/fleet.git`)
    .replace("8f3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b", shop.git("rev-parse", "main"));
  writeFileSync(shop.fleetFile, text);
  await shop.update();
});
afterAll(async () => {
  await server.close();
  shop.close();
});

/** Changes the fleet file as its owner does: each text, which has to be there, becomes another. */
function edit(...changes: readonly (readonly [string, string])[]): void {
  let text = readFileSync(shop.fleetFile, "utf8");
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(shop.fleetFile, text);
}

/** What an update would change on clusters, without the lines on generated Flux objects. */
async function diff(...more: string[]): Promise<string[]> {
  const { code, out, err } = await shop.exec(["diff", shop.fleetFile, ...more]);
  expect([code, err]).toEqual([0, ""]);
  return out
    .split("\n")
    .filter((line) => line !== "" && !/^ {2}[~+] (GitRepository|Kustomization) /.test(line));
}

const memory = (size: string) =>
  readFileSync(join(example, "infrastructure/limits.yaml"), "utf8").replace("256Mi", size);
const raised = (from: string, to: string) => `      spec.limits[0].default.memory: "${from}" -> "${to}"`;
const limits = "  ~ LimitRange store/limits (set infrastructure, infrastructure/limits.yaml)";

describe("pinned infrastructure, from an app to the next store", () => {
  it("deploys an app to every store that takes it", async () => {
    const app = Object.entries(manifests()).flatMap(([path, text]) => {
      const isSignage = path.startsWith("apps/signage/");
      return isSignage ? [[path.replace("signage", "loyalty"), text.replaceAll("signage", "loyalty")]] : [];
    });
    shop.commit("main", Object.fromEntries(app) as Record<string, string>);
    edit(["apps: { pos: {}, signage: {} }", "apps: { pos: {}, signage: {}, loyalty: {} }"]);
    expect(await diff()).toEqual([
      "store-001 and 2 more: 1 created",
      "  + Deployment store/loyalty (set apps-base, apps/loyalty/deployment.yaml)",
    ]);
    await shop.update();
  });

  it("tries what is not released yet on a playground, and on nothing else", async () => {
    shop.commit("main", { "infrastructure/limits.yaml": memory("512Mi") }, "Raise the limits");
    const fleet = mustLoad(readFileSync(shop.fleetFile, "utf8"));
    const [playground] = fleet.withoutFlux;
    const checkout = join(shop.shop.folder, "checkout");
    execFileSync("git", ["clone", "--quiet", shop.repository, checkout], { env: shop.shop.env });
    const builder = openBuilder();
    if ("kind" in builder) throw new Error(builder.message);
    const source = { tree: folderTree(checkout), branch: "main", pinned: () => Promise.resolve(undefined) };
    const inputs = { variables: {}, images: { loyalty: "loyalty:dev" }, secrets: [], without: [] };
    const plan = await planApply(playground!, fleet, source, inputs, builder, () =>
      Promise.resolve(undefined),
    );
    await builder.close();
    const cluster = new MemoryCluster();
    cluster.status = () => ({ status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 } });
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const { changes, sets } = await applyPlan(plan, { api: cluster, ...clock });
    expect(sets.map(({ set, state }) => [set, state])).toEqual([
      ["infrastructure", "ready"],
      ["apps-base", "ready"],
    ]);
    expect(changes.map(({ what, object }) => `${what} ${object}`)).toEqual([
      "created Namespace store",
      "created ConfigMap store/settings",
      "created LimitRange store/limits",
      "created Deployment store/loyalty",
      "created Deployment store/signage",
    ]);
    expect(JSON.stringify(cluster.objects.get("LimitRange/store/limits"))).toContain("512Mi");
    expect(cluster.objects.get("ConfigMap/store/settings")).toMatchObject({
      data: { store: "playground", currency: "EUR" },
    });
    expect(JSON.stringify(cluster.objects.get("Deployment/store/loyalty"))).toContain(
      '"image":"loyalty:dev"',
    );
  });

  it("releases it, which reaches no store", async () => {
    const { code, out } = await shop.run("release", "v1.5.0");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Since v1\.5\.0-rc\.1: 1 commit of \d+ changes \.\/infrastructure\.$/m),
    ]);
    expect(out).toMatch(/infrastructure at tag v1\.4\.0: store-002$/m);
    expect(await diff()).toEqual(["Nothing changes on any cluster."]);
  });

  it("rolls it out ring by ring, with what changes between the two trees, and leaves the store that is held back", async () => {
    edit(["{ tag: v1.5.0-rc.1 }", "{ tag: v1.5.0 }"]);
    expect(await diff()).toEqual([
      "store-001: 2 changed",
      expect.stringContaining('spec.ref.tag: "v1.5.0-rc.1" -> "v1.5.0"'),
      limits,
      raised("256Mi", "512Mi"),
    ]);
    await shop.update();
    edit(["ref: { tag: v1.4.0 }", "ref: { tag: v1.5.0 }"]);
    expect(await diff()).toEqual([
      "store-002: 2 changed",
      expect.stringContaining('spec.ref.tag: "v1.4.0" -> "v1.5.0"'),
      limits,
      raised("256Mi", "512Mi"),
    ]);
    await shop.update();
  });

  it("rolls back by the pin alone", async () => {
    edit(["ref: { tag: v1.5.0 }", "ref: { tag: v1.4.0 }"]);
    expect(await diff()).toEqual([
      "store-002: 2 changed",
      expect.stringContaining('spec.ref.tag: "v1.5.0" -> "v1.4.0"'),
      limits,
      raised("512Mi", "256Mi"),
    ]);
    await shop.update();
  });

  it("onboards a store by three lines, which gets what the fleet is at", async () => {
    edit(["  store-002:", "  store-004:\n    labels: { kind: store }\n  store-002:"]);
    const found = await diff("--cluster", "store-004");
    expect(found[0]).toBe("store-004: 10 created");
    expect(found).toContain("  + LimitRange store/limits (set infrastructure, infrastructure/limits.yaml)");
    await shop.update();
    const source = shop.git("show", "main:clusters/store-004/flux/source-infrastructure.yaml");
    expect(source).toContain("tag: v1.4.0");
  });
});
