import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GitHost } from "../support/hosts/gitHost.ts";
import { github } from "../support/hosts/github.ts";
import { StageShop } from "./stageShop.ts";

const { HOME: home = "", ARCFLUX_CACHE_DIR: cache } = process.env;

let shop: StageShop;
let host: GitHost;
beforeEach(async () => {
  shop = await StageShop.open({ "apps/a.yaml": "v: 1\n" }, ["prod"]);
  const rest = github("edge/fleet");
  host = await GitHost.start({ shop: shop.shop, repository: shop.repository, rest, tokens: ["S3CRET"] });
  shop.git("config", "http.receivepack", "true");
  vi.stubEnv("ARCFLUX_GIT_TOKEN", "S3CRET");
  mkdirSync(join(shop.shop.folder, "edge"));
  symlinkSync(shop.repository, join(shop.shop.folder, "edge/fleet"));
  shop.serve(`${host.url}/edge/fleet`, `pullRequest: { host: github, apiUrl: "${host.url}/api/v3" }`);
});
afterEach(async () => {
  await host.close();
  shop.close();
});

describe("a stage that is approved on the host", () => {
  it("gets exactly one pull request of the finished merge, renewed when the stage moves", async () => {
    shop.fleet({ prod: "branch: prod, approval: pullRequest" });
    const v2 = shop.commit("main", { "apps/a.yaml": "v: 2\n" });
    const before = shop.git("rev-parse", "prod");
    const asked = await shop.run("promote", "prod");
    expect(asked.out).toContain("https://github.example.com/edge/fleet/pull/1 waits to be merged");
    expect([asked.code, shop.git("rev-parse", "prod")]).toEqual([0, before]);
    const side = () => shop.git("rev-parse", "arcflux/promote/prod");
    expect(shop.git("log", "-1", "--format=%P", "arcflux/promote/prod")).toBe(`${before} ${v2}`);
    // Asked again, an approval that was given is not lost.
    const first = side();
    await shop.run("promote", "prod");
    expect([side(), host.pulls.length]).toEqual([first, 1]);

    const v3 = shop.commit("main", { "apps/a.yaml": "v: 3\n" });
    await shop.run("promote", "prod");
    expect(shop.git("log", "-1", "--format=%P", "arcflux/promote/prod")).toBe(`${before} ${v3}`);
    expect(host.pulls).toHaveLength(1);
    host.end(1, "squash");
    expect(shop.tree("prod")).toBe(shop.tree(v3));
    expect((await shop.run("promote", "prod")).out).toContain("has the files of");
    expect(JSON.stringify(asked)).not.toContain("S3CRET");
  });

  it("looks in a dry run at what a pin says, on both sides", async () => {
    const map = (version: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pos, namespace: default }\ndata: { version: "${version}" }\n`;
    const pin = (tag: string) =>
      shop.fleet(
        { prod: "branch: prod" },
        `sources: { pinned: { kind: GitRepository, url: self, interval: 10m, ref: { tag: ${tag} } } }\nsets: { pos: { path: ./apps, source: pinned } }`,
        { "prod-1": "stage: prod, sets: { pos: {} }" },
      );
    for (const tag of ["v1.0.0", "v1.1.0"]) {
      shop.git("tag", tag, shop.commit("main", { "apps/a.yaml": map(tag) }));
      pin(tag);
      await shop.update();
      if (tag === "v1.0.0") await shop.run("promote", "prod");
    }
    vi.stubEnv("HOME", home);
    vi.stubEnv("ARCFLUX_CACHE_DIR", cache);
    const { code, out } = await shop.run("promote", "prod", "--dry-run");
    expect(out).toMatch(/~ ConfigMap default\/pos .*\n +data\.version: "v1\.0\.0" -> "v1\.1\.0"/);
    expect(out).not.toContain("could not be read");
    expect(code).toBe(0);
  });

  it("waits for the checks that it names, on that very commit", async () => {
    shop.fleet({ prod: "branch: prod, checks: [scan, e2e]" });
    const old = shop.git("rev-parse", "main");
    const v2 = shop.commit("main", { "apps/a.yaml": "v: 2\n" });
    const passed = [
      { name: "scan", word: "success", run: false },
      { name: "e2e", word: "success", run: true },
    ];
    host.statuses.set(old, passed);
    expect((await shop.run("promote", "prod")).out).toContain("scan is not there, e2e is not there");
    host.statuses.set(v2, [passed[0]!, { name: "e2e", word: null, run: true }]);
    expect((await shop.run("promote", "prod")).out).toMatch(/- checks +on [0-9a-f]{10}, e2e is pending\./);
    host.statuses.set(v2, [{ name: "scan", word: "failure", run: false }, passed[1]!]);
    expect((await shop.run("promote", "prod", "--unverified")).out).toContain("scan is failed");
    host.statuses.set(v2, passed);
    expect((await shop.run("promote", "prod")).code).toBe(0);
  });
});
