import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseInventory } from "../../git/index.ts";
import { StageShop } from "./stageShop.ts";

let shop: StageShop;
beforeEach(async () => {
  shop = await StageShop.open({ "apps/pos/a.yaml": "v: 1\n", "apps/web/a.yaml": "v: 1\n" });
  shop.fleet({ prod: "branch: prod" });
});
afterEach(() => shop.close());

const sets = "sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web } }";
const two = (own: string) => ({
  "a-1": `stage: prod, sets: { ${own} }`,
  "b-1": `stage: prod, sets: { ${own} }`,
});
const fleetFile = () => readFileSync(join(shop.shop.folder, "fleet.yaml"), "utf8");

describe("arcflux rollback", () => {
  it("restores the tree from before the last promotion by a new commit; nothing brings it back but --again", async () => {
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    await shop.run("promote", "prod");
    const good = shop.git("rev-parse", "prod");
    shop.commit("main", { "apps/pos/a.yaml": "v: bad\n", "apps/new.yaml": "x: 1\n" });
    await shop.run("promote", "prod");
    const bad = shop.git("rev-parse", "prod");

    const dry = await shop.run("rollback", "prod", "--dry-run");
    expect([dry.code, shop.git("rev-parse", "prod")]).toEqual([0, bad]);
    const { code, out } = await shop.run("rollback", "prod", "--reason", "INC-4711");
    expect(out).toContain("(2 files: apps/new.yaml, apps/pos/a.yaml)");
    expect(code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree(good));
    expect(shop.git("log", "-1", "--format=%P|%an", "prod")).toBe(`${bad}|Kim`);
    const trailers = shop.git("log", "-1", "--format=%(trailers:only)", "prod");
    expect(trailers).toContain(`Arcflux-Operation: rollback\nArcflux-Stage: prod\nArcflux-From: ${good}\n`);
    expect(trailers).toContain("Arcflux-Reason: INC-4711");

    // An unrelated change is no reason to bring the bad version again.
    shop.commit("main", { "apps/web/a.yaml": "v: 2\n" });
    const stopped = await shop.run("promote", "prod");
    expect(stopped.out).toMatch(
      /- rollback +[0-9a-f]{10} by Kim took back apps\/new\.yaml, apps\/pos\/a\.yaml/,
    );
    expect([stopped.code, shop.tree("prod")]).toEqual([1, shop.tree(good)]);
    expect((await shop.run("rollback", "prod")).err).toContain(
      "is as it was before its last promotion already",
    );
    expect((await shop.run("promote", "prod", "--again")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree("main"));
  });

  it("names first what else goes back, and waits for --yes; or takes back a part", async () => {
    await shop.run("promote", "prod");
    shop.commit("main", { "apps/pos/a.yaml": "v: bad\n" });
    await shop.run("promote", "prod");
    const fix = shop.commit("prod", { "apps/web/a.yaml": "v: 1 # fixed\n" }, "Fix the web shop");
    const asked = await shop.run("rollback", "prod");
    expect(asked.out).toContain(`also goes back: ${fix.slice(0, 10)} by Pat: Fix the web shop`);
    expect([asked.code, shop.git("rev-parse", "prod")]).toEqual([1, fix]);

    expect((await shop.run("rollback", "prod", "--only", "apps/pos")).code).toBe(0);
    expect(shop.git("show", "prod:apps/pos/a.yaml")).toBe("v: 1");
    expect(shop.git("show", "prod:apps/web/a.yaml")).toBe("v: 1 # fixed");
    // The hotfix is still one, and what was taken back still is.
    const { out } = await shop.run("promote", "prod");
    expect(out).toMatch(/- hotfixes +only prod has\n.*Fix the web shop/);
    expect(out).toMatch(/- rollback +.* took back apps\/pos\/a\.yaml/);
  });

  it("refuses a part that is nowhere, with what was meant, and a file that it would give another name", async () => {
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}"));
    await shop.run("promote", "prod");
    shop.commit("main", { "apps/pos/a.yaml": null, "apps/pos": "a file\n", "web/caf\xe9": "v: 1\n" });
    await shop.run("promote", "prod");
    const tip = shop.git("rev-parse", "prod");
    for (const [only, meant] of [
      ["apps/wep/a.yaml", "Did you mean apps/web?"],
      ["poss", "Did you mean pos?"],
      ["nothing/like/it", "Write a set, or a path such as apps/pos."],
      ["web", "is not UTF-8"],
    ] as const) {
      const { code, err } = await shop.run("rollback", "prod", "--only", only, "--yes");
      expect([code, shop.git("rev-parse", "prod")]).toEqual([2, tip]);
      expect(err).toContain(meant);
    }
    // Half of what goes back together would take the other half away.
    const half = await shop.run("rollback", "prod", "--only", "apps/pos/a.yaml");
    expect([half.code, half.err]).toEqual([1, expect.stringContaining("apps/pos is not a folder")]);
    expect((await shop.run("rollback", "prod", "--only", "apps/pos")).code).toBe(0);
    expect(shop.git("show", "prod:apps/pos/a.yaml")).toBe("v: 1");
    const folder = shop.git("rev-parse", "prod");
    expect((await shop.run("rollback", "prod", "--to", tip, "--only", "apps/pos", "--yes")).code).toBe(0);
    expect([shop.git("show", "prod:apps/pos"), shop.git("rev-parse", "prod~1")]).toEqual(["a file", folder]);
  });

  it("goes to a commit or a time, and past several promotions", async () => {
    await shop.run("promote", "prod");
    const first = shop.git("rev-parse", "prod");
    for (const v of ["2", "3"]) {
      shop.commit("main", { "apps/pos/a.yaml": `v: ${v}\n` });
      await shop.run("promote", "prod");
    }
    expect((await shop.run("rollback", "prod", "--to", "2001-01-01")).err).toContain("is younger than");
    expect((await shop.run("rollback", "prod", "--to", "yesterday-ish")).err).toContain(
      "neither a commit nor a time",
    );
    expect((await shop.run("rollback", "prod", "--to", first.slice(0, 9))).code).toBe(0);
    expect(shop.git("show", "prod:apps/pos/a.yaml")).toBe("v: 1");
    // Both were taken back, not the newest alone.
    const second = shop.git("rev-parse", "main~1");
    expect((await shop.run("promote", "prod", second)).out).toMatch(/- rollback/);
    expect((await shop.run("rollback", "prod", "--to", "2999-01-01")).out).toContain("already");
  });

  it("passes the guard of deletions, and in an emergency takes them with --yes, through a freeze", async () => {
    const freeze = "freezes: { xmas: { from: 2020-01-01, until: 2999-01-01, reason: nobody is there } }";
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}"));
    await shop.update();
    await shop.run("promote", "prod");
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}, web: {}"));
    await shop.update();
    await shop.run("promote", "prod");
    const there = shop.git("rev-parse", "prod");

    shop.fleet({ prod: "branch: prod" }, `${sets}\n${freeze}`, two("pos: {}, web: {}"));
    const stopped = await shop.run("rollback", "prod");
    expect(stopped.out).toMatch(/- deletions +set web \(also in 1 more cluster: b-1\) goes away/);
    expect(stopped.out).toContain("`removed: [web]`");
    expect(stopped.out).toMatch(/- freeze +xmas holds/);
    expect([stopped.code, shop.git("rev-parse", "prod")]).toEqual([1, there]);
    expect((await shop.run("rollback", "prod", "--now")).err).toContain("say why, with --reason TEXT");
    expect((await shop.run("rollback", "prod", "--now", "--reason", "INC-1")).out).toContain(
      "If that is meant: --yes",
    );
    expect((await shop.run("rollback", "prod", "--now", "--reason", "INC-1", "--yes")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree(`${there}~1`));
    expect(shop.git("log", "-1", "--format=%(trailers:key=Arcflux-Emergency,valueonly)", "prod").trim()).toBe(
      "INC-1",
    );
  });

  it("guards what a promotion deletes in the same way, by what the clusters have and not by the fleet file alone", async () => {
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}, web: {}"));
    await shop.update();
    await shop.run("promote", "prod");
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}"));
    await shop.update();
    expect((await shop.run("promote", "prod")).out).toMatch(/- deletions +set web/);
    shop.fleet({ prod: "branch: prod" }, `${sets}\nremoved: [web]`, two("pos: {}"));
    expect((await shop.run("promote", "prod")).out).toMatch(/\+ deletions +set web .*; `removed` says so/);
    expect(shop.tree("prod")).toBe(shop.tree("main"));
  });

  it("takes back one set, with the inventories beside it, and one cluster's folder", async () => {
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: {}, web: {}"));
    await shop.update();
    await shop.run("promote", "prod");
    const good = shop.git("rev-parse", "prod");
    shop.fleet({ prod: "branch: prod" }, sets, two("pos: { interval: 20m }, web: { interval: 20m }"));
    await shop.update();
    await shop.run("promote", "prod");
    const path = "clusters/a-1/flux";
    const bad = shop.git("rev-parse", `prod:${path}/pos.yaml`);

    expect((await shop.run("rollback", "prod", "--only", "pos")).code).toBe(0);
    expect(shop.git("rev-parse", `prod:${path}/pos.yaml`)).toBe(
      shop.git("rev-parse", `${good}:${path}/pos.yaml`),
    );
    const inventory = parseInventory(`${shop.git("show", `prod:${path}/.arcflux-inventory`)}\n`);
    if ("fault" in inventory) throw new Error(inventory.fault);
    expect(inventory.files.get(`${path}/pos.yaml`)).toEqual({
      blob: shop.git("rev-parse", `prod:${path}/pos.yaml`),
      executable: false,
      serial: 3,
      rolledBack: bad,
    });
    expect(inventory.files.get(`${path}/web.yaml`)?.serial).toBe(2);

    expect((await shop.run("rollback", "a-1")).code).toBe(0);
    expect(shop.git("rev-parse", "prod:clusters/a-1")).toBe(shop.git("rev-parse", `${good}:clusters/a-1`));
    expect(shop.git("show", "prod:clusters/b-1/flux/web.yaml")).toContain('interval: "20m"');
  });

  it("says what the fleet file must say, and writes that, comments kept", async () => {
    const pinned = (tag: string) =>
      shop.fleet(
        { prod: `branch: prod, pins: { base: { tag: ${tag} } } # ours\n    ` },
        "sources: { base: { kind: GitRepository, url: 'https://git.example.com/base.git', interval: 10m } }\nsets: { pos: { path: ./pos, source: base } }",
        two("pos: {}"),
      );
    pinned("v1");
    await shop.update();
    await shop.run("promote", "prod");
    pinned("v2");
    await shop.update();
    await shop.run("promote", "prod");
    const { out } = await shop.run("rollback", "prod", "--fleet");
    expect(out).toContain('Written into the fleet file: stages.prod.pins.base: { tag: "v1" }. Run pulumi up');
    expect(fleetFile()).toContain('pins: { base: { tag: "v1" } } # ours');
  });

  it("leaves what is generated on the branch of updates to the fleet file, and takes back the rest", async () => {
    shop.fleet({ dev: "" }, sets, { "d-1": "stage: dev, sets: { pos: {} }" });
    await shop.update();
    const good = shop.git("rev-parse", "main");
    shop.fleet({ dev: "" }, sets, { "d-1": "stage: dev, sets: { pos: { interval: 20m } }" });
    await shop.update();
    shop.commit("main", { "apps/pos/a.yaml": "v: bad\n" });
    const tip = shop.git("rev-parse", "main");
    expect((await shop.run("rollback", "dev")).err).toContain("say where to go back to: --to COMMIT or TIME");
    const refused = await shop.run("rollback", "dev", "--to", good);
    expect(refused.err).toContain("generated files are taken back by the fleet file alone");
    expect([refused.code, shop.git("rev-parse", "main")]).toEqual([2, tip]);
    expect((await shop.run("rollback", "dev", "--to", good, "--only", "apps/pos")).code).toBe(0);
    expect(shop.git("show", "main:apps/pos/a.yaml")).toBe("v: 1");
    // The next update finds everything as it left it.
    await shop.update();
    expect(shop.git("log", "-1", "--format=%s", "main")).toMatch(/^Roll dev back to /);
  });
});
