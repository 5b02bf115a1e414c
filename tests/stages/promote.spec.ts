import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StageShop } from "./stageShop.ts";

const { HOME: home = "", ARCFLUX_CACHE_DIR: cache } = process.env;

let shop: StageShop;
beforeEach(async () => {
  shop = await StageShop.open({ "apps/pos/a.yaml": "v: 1\n", "apps/web/a.yaml": "v: 1\n" }, ["prod"]);
  shop.fleet({ prod: "branch: prod" });
});
afterEach(() => shop.close());

/** Names of the gates that stop, from --json. */
const stopping = (out: string) =>
  (JSON.parse(out) as { gates: { gate: string; state: string }[] }).gates.flatMap(({ gate, state }) =>
    state === "stops" ? [gate] : [],
  );

describe("arcflux promote", () => {
  it("makes the stage's tree that of the branch before, by one merge commit of both", async () => {
    const before = shop.git("rev-parse", "prod");
    const v2 = shop.commit("main", {
      "apps/pos/a.yaml": "v: 2\n",
      "apps/pos/run": { mode: "100755", data: "#!" },
    });
    shop.commit("main", { "apps/web/a.yaml": "v: 3\n" });
    const { code, out } = await shop.run("promote", "prod", v2.slice(0, 8));
    expect(out).toContain("Follow it: arcflux wait --stage prod");
    expect(code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree(v2));
    expect(shop.git("log", "-1", "--format=%P", "prod")).toBe(`${before} ${v2}`);
    expect(
      shop.git("log", "-1", "--format=%an|%cn|%(trailers:key=Arcflux-From,valueonly)", "prod").trim(),
    ).toBe(`Kim|Arcflux|${v2}`);
    // Nothing to do is a result, and makes no commit.
    const again = await shop.run("promote", "prod", v2);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("has the files of")]);
    expect(shop.git("rev-list", "--count", "--first-parent", "prod")).toBe("2");
  });

  it("makes a branch that is missing by the first promotion", async () => {
    shop.fleet({ prod: "branch: prod", e2e: "branch: e2e" });
    expect((await shop.run("promote", "e2e")).code).toBe(0);
    expect(shop.tree("e2e")).toBe(shop.tree("main"));
    expect(shop.git("log", "-1", "--format=%P", "e2e")).toBe(shop.git("rev-parse", "main"));
  });

  it("stops for a hotfix by commit, author and file, until the branch before has it by its blobs or by its name", async () => {
    const fix = shop.commit("prod", { "apps/pos/a.yaml": "v: 1 # fixed\n" }, "Fix the till");
    shop.commit("main", { "apps/web/a.yaml": "v: 2\n" });
    const stopped = await shop.run("promote", "prod", "--dry-run");
    expect(stopped.out).toContain(`${fix.slice(0, 10)} by Pat (Fix the till): apps/pos/a.yaml`);
    expect(stopped.code).toBe(1);
    const tree = shop.tree("prod");
    expect((await shop.run("promote", "prod")).code).toBe(1);
    expect(shop.tree("prod")).toBe(tree);

    const base = shop.git("rev-parse", "main");
    shop.commit("main", { "apps/pos/a.yaml": "v: 1 # fixed\n" }, "Take the fix in");
    shop.commit("main", { "apps/pos/a.yaml": "v: 2 # on top of it\n" });
    expect((await shop.run("promote", "prod", "--dry-run")).code).toBe(0);
    shop.git("update-ref", "refs/heads/main", base);
    shop.commit(
      "main",
      { "apps/pos/a.yaml": "v: 1 # fixed otherwise\n" },
      `Fix\n\n(cherry picked from commit ${fix})`,
    );
    expect((await shop.run("promote", "prod")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree("main"));
    // A name that is no text is no reason to overlook a file.
    shop.commit("prod", { "apps/caf\xe9": "v: 1\n" }, "Straight on prod");
    shop.commit("main", { "apps/web/a.yaml": "v: 3\n" });
    expect((await shop.run("promote", "prod", "--dry-run")).out).toMatch(/Straight on prod\): apps\/caf/);
  });

  it("keeps what a merge by hand made itself of a conflict, until the branch before has it", async () => {
    shop.fleet({ test: "branch: test", prod: "branch: prod, after: test" });
    shop.commit("prod", { "apps/pos/a.yaml": "v: 1 # fixed\n" }, "Fix the till");
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    await shop.run("promote", "test");
    shop.commit("resolved", { "apps/pos/a.yaml": "v: 2 # fixed\n", "apps/web/a.yaml": "v: 1\n" });
    const merge = shop.mergeCommit("prod", "test", "resolved");
    shop.git("update-ref", "refs/heads/prod", merge);
    shop.commit("main", { "apps/web/a.yaml": "v: 3\n" });
    await shop.run("promote", "test");
    const stopped = await shop.run("promote", "prod", "--unverified");
    expect(stopped.out).toContain(`${merge.slice(0, 10)} by Pat (Merge): apps/pos/a.yaml`);
    expect(stopped.out).toContain("git cherry-pick -x (of a merge with -m 1)");
    expect([stopped.code, shop.git("rev-parse", "prod")]).toEqual([1, merge]);

    // What main has has to come by the stage before, and nobody is sent in a circle.
    shop.commit("main", { "apps/pos/a.yaml": "v: 2 # fixed\n" });
    expect((await shop.run("promote", "prod", "--unverified")).out).toContain(
      "main has it: arcflux promote test first",
    );
    await shop.run("promote", "test");
    expect((await shop.run("promote", "prod", "--unverified")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree("main"));
  });

  it("knows the order also where the stage before was moved to this stage's tip", async () => {
    shop.fleet({ test: "branch: test", prod: "branch: prod, after: test" });
    const promoted = async (v: number) => {
      shop.commit("main", { "apps/pos/a.yaml": `v: ${v}\n` });
      await shop.run("promote", "test");
      return shop.run("promote", "prod", "--unverified");
    };
    await promoted(2);
    const old = shop.git("rev-parse", "prod");
    await promoted(3);
    shop.git("update-ref", "refs/heads/test", "prod");
    expect((await shop.run("promote", "prod", old, "--unverified")).out).toContain("- order ");
    expect(await promoted(4)).toMatchObject({ code: 0 });
    expect(shop.tree("prod")).toBe(shop.tree("main"));
  });

  it("takes a squash merge for a promotion, and says so", async () => {
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    shop.commit("prod", { "apps/pos/a.yaml": "v: 2\n" }, "Squashed");
    shop.commit("main", { "apps/pos/a.yaml": "v: 3\n" });
    const { code, err } = await shop.run("promote", "prod");
    expect(err).toContain("without being a merge of it (squashed, copied or forced)");
    expect(code).toBe(0);
  });

  it("does not promote what was taken back without --again, be it back by a merge or by hand", async () => {
    const v2 = shop.commit("main", { "apps/pos/a.yaml": "v: bad\n", "apps/web/a.yaml": "v: 2\n" });
    await shop.run("promote", "prod");
    shop.commit("prod", { "apps/pos/a.yaml": "v: 1\n" }, "Back by hand, the till alone");
    shop.commit("main", { "apps/web/a.yaml": "v: 3\n" });
    // What is there alone is an older state: going back by hand is no hotfix that main has "already".
    expect(stopping((await shop.run("promote", "prod", "--json")).out)).toEqual(["hotfixes"]);
    shop.git("update-ref", "refs/heads/prod", shop.git("rev-parse", "prod~1"));
    shop.commit("prod", { "apps/pos/a.yaml": "v: 1\n", "apps/web/a.yaml": "v: 1\n" }, "Back by hand");
    expect(stopping((await shop.run("promote", "prod", "--json")).out)).toEqual(["rollback"]);
    expect(stopping((await shop.run("promote", "prod", v2, "--json")).out)).toEqual(["rollback"]);
    // What came in another version since is no longer what was taken back.
    shop.commit("main", { "apps/pos/a.yaml": "v: 3\n" });
    expect((await shop.run("promote", "prod", "--dry-run")).code).toBe(0);
    expect((await shop.run("promote", "prod", v2, "--again")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree(v2));
  });

  it("takes a merge by hand for a promotion, also of a revert that was made before", async () => {
    const v2 = shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    await shop.run("promote", "prod");
    const reverted = shop.commit("main", { "apps/pos/a.yaml": "v: 1\n" }, "Revert it on main");
    const merge = shop.mergeCommit("prod", reverted, reverted);
    shop.git("update-ref", "refs/heads/prod", merge);
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" }, "Land it again, mended elsewhere");
    const { code, err } = await shop.run("promote", "prod");
    expect([code, err]).toEqual([0, ""]);
    expect(shop.tree("prod")).toBe(shop.tree(v2));
  });

  it("says that the stage is further, and how to go back", async () => {
    const [v1, v2] = [shop.git("rev-parse", "main"), shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" })];
    await shop.run("promote", "prod", v2);
    const { code, out } = await shop.run("promote", "prod", v1);
    expect(out).toContain("To go back: arcflux rollback prod");
    expect(code).toBe(1);
  });

  it("waits for the soak, by when the stage before first had the tree", async () => {
    shop.fleet({ test: "branch: main", prod: "branch: prod, after: test, soak: 999999h" });
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    const { code, out } = await shop.run("promote", "prod", "--unverified");
    expect(out).toMatch(
      /- soak +test has had it since 2023-11-14 22:13 UTC, and it has to stay there until 2137-/,
    );
    expect(code).toBe(4);
  });

  it("asks the clusters before, and writes into the commit that nobody answered", async () => {
    shop.fleet({ test: "branch: main", prod: "branch: prod, after: test" });
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    const { code, out } = await shop.run("promote", "prod");
    expect(out).toMatch(/- ready +test: 0 of 1 ready, 0 failing, 1 not asked \(test-1\)/);
    expect(code).toBe(4);
    expect((await shop.run("promote", "prod", "--unverified")).code).toBe(0);
    expect(shop.git("log", "-1", "--format=%(trailers:key=Arcflux-Unverified,valueonly)", "prod")).toContain(
      "0 of 1 ready",
    );
  });

  it("holds while a freeze does, unless somebody says why it must not", async () => {
    const freeze = "freezes: { xmas: { from: 2020-01-01, until: 2999-01-01, reason: nobody is there } }";
    shop.fleet({ prod: "branch: prod" }, freeze);
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    expect((await shop.run("promote", "prod")).out).toContain(
      "xmas holds prod-1 until 2999-01-01 (nobody is there). Wait until it is over, or say why it cannot wait: --emergency REASON",
    );
    expect((await shop.run("promote", "prod", "--emergency", "INC-4711")).code).toBe(0);
    expect(shop.git("log", "-1", "--format=%(trailers:key=Arcflux-Emergency,valueonly)", "prod").trim()).toBe(
      "INC-4711",
    );
  });

  it("keeps the definitions of two stages alike, but for what may differ", async () => {
    const more = "sets: { pos: { path: ./apps/pos, prune: false } }";
    const stages = (prod: string) =>
      shop.fleet({ test: "branch: main, sets: { pos: { interval: 5m } }, variables: { a: b }", prod }, more);
    shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
    stages(
      "branch: prod, after: test, sets: { pos: { interval: 20m, suspend: { reason: later }, idle: true } }",
    );
    const { out } = await shop.run("promote", "prod", "--unverified");
    expect(out).toContain('sets.pos.interval: "5m" in test, "20m" in prod');
    expect(out).not.toMatch(/(suspend|idle):/);
    stages("branch: prod, after: test, sets: { pos: { interval: 20m } }, mayDiffer: [sets.pos.interval]");
    expect((await shop.run("promote", "prod", "--unverified")).code).toBe(0);
  });

  it("shows in a dry run what changes on the clusters of the stage, by meaning", async () => {
    const map = (version: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pos, namespace: default }\ndata: { version: "${version}" }\n`;
    shop.commit("main", { "apps/pos/a.yaml": map("1") });
    shop.fleet({ prod: "branch: prod" }, "sets: { pos: { path: ./apps/pos } }", {
      "prod-1": "stage: prod, sets: { pos: {} }",
    });
    await shop.update();
    await shop.run("promote", "prod");
    shop.commit("main", { "apps/pos/a.yaml": map("2"), "apps/web/a.yaml": "v: 2\n" });
    // The engine that builds lies in the user's cache.
    vi.stubEnv("HOME", home);
    vi.stubEnv("ARCFLUX_CACHE_DIR", cache);
    const { code, out } = await shop.run("promote", "prod", "--dry-run");
    expect(out).toMatch(
      /~ ConfigMap default\/pos \(set pos, apps\/pos\/a\.yaml\)\n +data\.version: "1" -> "2"/,
    );
    expect(code).toBe(0);
  });

  it("refuses what is not a stage of its own, and says which commits there are", async () => {
    shop.fleet({ dev: "", prod: "branch: prod" });
    expect(await shop.run("promote", "dev")).toMatchObject({
      code: 2,
      err: expect.stringContaining("nothing is promoted to it") as string,
    });
    expect((await shop.run("promote", "production")).err).toContain("Its stages: dev, prod.");
    expect((await shop.run("promote", "prod", "deadbeef")).err).toContain("is not a commit of main itself");
  });
});
