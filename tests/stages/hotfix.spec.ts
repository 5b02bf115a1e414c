import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stageWorld } from "../../cli/stageWorld.ts";
import { hotfix, promote } from "../../stages/index.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { StageShop } from "./stageShop.ts";

let shop: StageShop;
beforeEach(async () => {
  shop = await StageShop.open({ "apps/pos/a.yaml": "v: 1\n", "apps/web/a.yaml": "v: 1\n" }, [
    "prod",
    "fix/till",
  ]);
  shop.fleet({ prod: "branch: prod" });
  shop.commit("main", { "apps/web/a.yaml": "v: 2\n" });
});
afterEach(() => shop.close());

const both = () => [shop.git("rev-parse", "prod"), shop.git("rev-parse", "main")];

describe("arcflux hotfix", () => {
  it("puts a change on the stage and on main, path by path, so that the next promotion knows it", async () => {
    const fix = shop.commit(
      "fix/till",
      { "apps/pos/a.yaml": "v: 1 # fixed\n", "apps/pos/b.yaml": "b: 1\n" },
      "Fix the till",
    );
    const before = both();
    expect((await shop.run("hotfix", "prod", "fix/till", "--dry-run")).out).toContain("Nothing was changed.");
    expect(both()).toEqual(before);
    const { code, out } = await shop.run("hotfix", "prod", "fix/till");
    expect(out).toMatch(/^prod has .* now, as [0-9a-f]{10}: apps\/pos\/a\.yaml, apps\/pos\/b\.yaml\.$/m);
    expect(code).toBe(0);
    for (const branch of ["prod", "main"]) {
      expect(shop.git("show", `${branch}:apps/pos/b.yaml`)).toBe("b: 1");
      expect(shop.git("log", "-1", "--format=%an|%cn|%s", branch)).toBe("Pat|Kim|Fix the till");
      expect(shop.git("log", "-1", "--format=%B", branch)).toContain(`(cherry picked from commit ${fix})`);
    }
    expect(shop.git("show", "prod:apps/web/a.yaml")).toBe("v: 1");
    expect((await shop.run("hotfix", "prod", "fix/till")).out).toMatch(
      /^prod has .* already\.\nmain has .* already\.$/m,
    );
    // main goes on from there, and nothing stands in the way of a promotion.
    shop.commit("main", { "apps/pos/a.yaml": "v: 3\n" });
    expect((await shop.run("promote", "prod")).code).toBe(0);
    expect(shop.tree("prod")).toBe(shop.tree("main"));
  });

  it("finishes what was cut off after its first push, and takes in what is on the stage by hand", async () => {
    const fix = shop.commit("prod", { "apps/pos/a.yaml": "v: 1 # fixed\n" }, "Straight on prod");
    expect((await shop.run("promote", "prod")).code).toBe(1);
    const { code, out } = await shop.run("hotfix", "prod", fix.slice(0, 10));
    expect(out).toMatch(/^prod has .* already\.\nmain has .* now/m);
    expect([code, shop.git("rev-parse", "prod")]).toEqual([0, fix]);
    expect((await shop.run("promote", "prod")).code).toBe(0);
  });

  it("says which branch has it where the other takes no push, and changes nothing where it is called off", async () => {
    const fix = shop.commit("fix/till", { "apps/pos/a.yaml": "v: 1 # fixed\n" }, "Fix the till");
    const before = both();
    const fleet = mustLoad(readFileSync(join(shop.shop.folder, "fleet.yaml"), "utf8"));
    const request = { stage: "prod", commit: "fix/till", dryRun: false };
    const calledOff = { ...stageWorld(fleet), git: { env: shop.shop.env, alive: () => false } };
    await expect(hotfix(fleet, request, calledOff)).rejects.toMatchObject({ kind: "abandoned" });
    await expect(
      promote(
        fleet,
        { ...request, commit: undefined, again: false, unverified: true, pullRequest: false },
        calledOff,
      ),
    ).rejects.toMatchObject({ kind: "abandoned" });
    expect(both()).toEqual(before);

    shop.shop.writeHook(
      shop.repository,
      "update",
      `[ "$1" = refs/heads/main ] && echo "main is protected" >&2 && exit 1; exit 0`,
    );
    const { code, err } = await shop.run("hotfix", "prod", "fix/till");
    expect(err).toMatch(
      /^Half done: prod has the change\.\nBranch main of .* could not be pushed\.[\s\S]*main is protected/,
    );
    expect(code).toBe(1);
    expect(shop.git("show", "prod:apps/pos/a.yaml")).toBe("v: 1 # fixed");
    const again = await shop.run("hotfix", "prod", "fix/till");
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("Half done: prod has the change.")]);
    shop.shop.writeHook(shop.repository, "update", "exit 0");
    expect((await shop.run("hotfix", "prod", "fix/till")).out).toMatch(
      /^prod has .* already\.\nmain has .* now/m,
    );
    expect(shop.git("log", "-1", "--format=%B", "main")).toContain(fix);
  });

  it("does nothing where one branch has something else, and says how by hand", async () => {
    const fix = shop.commit("fix/till", { "apps/web/a.yaml": "v: 1 # fixed\n" });
    const before = both();
    const { code, out } = await shop.run("hotfix", "prod", "fix/till");
    expect(out).toMatch(/^main has something else than the commit before .* at apps\/web\/a\.yaml\.$/m);
    expect(out).toContain(
      `git switch -C hotfix origin/main && git cherry-pick -x ${fix.slice(0, 12)}\n  git push origin HEAD:main`,
    );
    expect([code, both()]).toEqual([1, before]);
  });

  it("leaves another's file that is in the way of a folder", async () => {
    shop.commit("main", { conf: "ours\n", link: { mode: "120000", data: "apps" } });
    shop.commit("fix/till", { "conf/x": "x\n", "conf/y": "y\n", "link/x": "x\n", "apps/pos/c.yaml": "c\n" });
    const before = both();
    const { code, out } = await shop.run("hotfix", "prod", "fix/till");
    expect(out).toMatch(/^main has something else than the commit before .* at conf, link\.$/m);
    expect([code, both()]).toEqual([1, before]);
  });

  it("refuses merges, generated files and what is nowhere", async () => {
    const refused = async (...args: string[]) => {
      const before = both();
      const { code, err } = await shop.run("hotfix", ...args);
      expect([code, both()]).toEqual([2, before]);
      return err;
    };
    expect(await refused("prod", "deadbeef")).toContain("is no commit of prod or main, and no branch");
    const merge = shop.mergeCommit("fix/till", "main", "main");
    shop.git("update-ref", "refs/heads/fix/till", merge);
    expect(await refused("prod", "fix/till")).toContain("is a merge");
    shop.git("update-ref", "refs/heads/fix/till", "prod");
    shop.commit("fix/till", {
      "clusters/a/flux/pos.yaml": "# Generated by Arcflux from the fleet file; change it there.\n",
    });
    expect(await refused("prod", "fix/till")).toContain("which follow from the fleet file");
    shop.git("update-ref", "refs/heads/fix/till", "prod");
    shop.commit("fix/till", { "apps/caf\xe9.yaml": "v: 1\n" });
    expect(await refused("prod", "fix/till")).toMatch(/The name of apps\/caf.\.yaml is not UTF-8/);
    shop.fleet({ dev: "" });
    expect(await refused("dev", "fix/till")).toContain("follows main itself");
  });
});
