import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { beforeOf, type Overrides, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let shop: GitWorkshop;
let context: GitContext;
beforeEach(() => {
  shop = new GitWorkshop();
  context = {
    env: shop.env,
    tempRoot: shop.tempRoot,
    cacheRoot: `${shop.folder}/cache`,
    sleep: () => Promise.resolve(),
  };
});
afterEach(() => shop.remove());

const onNew = (
  url: string,
  createBranch: "fromDefault" | "orphan",
  more: Overrides = {},
): Promise<WriteResult> =>
  writeFiles(writeRequest({ url, branch: "edge/test", delivery: { createBranch }, ...more }), context);

describe("B03: a branch that does not exist", () => {
  it("starts from the tip of the default branch, whatever that is called", async () => {
    const url = await shop.repository({ "README.md": "read me\n" }, { branch: "trunk" });
    shop.commit(url, { "other.md": "other\n" }, { branch: "aaa" });

    const result = await onNew(url, "fromDefault");

    expect(result).toMatchObject({ kind: "committed", attempts: 1 });
    expect(shop.log(url, "edge/test")).toEqual([result.commit, ...shop.log(url, "trunk")]);
    expect(shop.contents(url, "", "edge/test")).toEqual({
      "README.md": "read me\n",
      "clusters/edge-1/flux/web.yaml": "kind: Kustomization\n",
    });
  });

  it("is made at that tip without a commit where everything is there already", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    await onNew(url, "fromDefault", { branch: "main" });
    const [tip = ""] = shop.log(url);

    expect(await onNew(url, "fromDefault")).toMatchObject({ kind: "unchanged", commit: tip });

    expect(shop.git(url, "rev-parse", "edge/test")).toBe(tip);
  });

  it("starts as an orphan beside other branches", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const result = await onNew(url, "orphan");
    expect(shop.log(url, "edge/test")).toEqual([result.commit]);
    expect(Object.keys(shop.contents(url, "", "edge/test"))).toEqual(["clusters/edge-1/flux/web.yaml"]);
    expect(shop.log(url)).toHaveLength(1);
  });

  it("starts as an orphan in an empty repository, on its unborn HEAD too", async () => {
    const url = await shop.repository({});
    const first = await onNew(url, "orphan", { branch: "main" });
    expect(shop.log(url)).toEqual([first.commit]);
    expect(shop.contents(url, "")).toEqual({ "clusters/edge-1/flux/web.yaml": "kind: Kustomization\n" });
    // Once it is there, the setting does nothing.
    const next = await onNew(url, "orphan", {
      branch: "main",
      before: beforeOf(first),
      files: { "web.yaml": "kind: X\n" },
    });
    expect(shop.log(url)).toEqual([next.commit, first.commit]);
  });

  it("is an error before any write where nothing can be started from, or nothing says how", async () => {
    const empty = await shop.repository({});
    await expect(onNew(empty, "fromDefault")).rejects.toMatchObject({
      kind: "missingBranch",
      message: expect.stringMatching(/no default branch.*repository is empty.*'orphan'/s) as string,
    });
    expect(shop.git(empty, "for-each-ref")).toBe("");
    const url = await shop.repository({ "README.md": "read me\n" }, { name: "other" });
    await expect(writeFiles(writeRequest({ url, branch: "edge/test" }), context)).rejects.toMatchObject({
      kind: "missingBranch",
    });
    expect(shop.git(url, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("is not made in order to delete from it", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    await expect(onNew(url, "fromDefault", { files: {} })).rejects.toMatchObject({ kind: "missingBranch" });
    expect(shop.git(url, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it.each(["fromDefault", "orphan"] as const)(
    "and that another makes between look and push is a race that keeps both: %s",
    async (how) => {
      const url = await shop.repository({ "README.md": "read me\n" });
      let theirs: string | undefined;
      const alive = (): boolean => {
        // Right before the first push: the person's branch starts from main as ours would.
        theirs ??= shop.commit(url, { "theirs.md": "theirs\n" }, { branch: "edge/test" });
        return true;
      };
      const request = writeRequest({ url, branch: "edge/test", delivery: { createBranch: how } });
      const result = await writeFiles(request, { ...context, alive });
      expect(result).toMatchObject({ kind: "committed", attempts: 2 });
      expect(shop.log(url, "edge/test")).toEqual([result.commit, theirs]);
      expect(Object.keys(shop.contents(url, "", "edge/test"))).toEqual([
        "clusters/edge-1/flux/web.yaml",
        "theirs.md",
      ]);
    },
  );

  it("and that another makes at the very commit it would start from is a race too, not written over", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const tip = shop.git(url, "rev-parse", "main");
    let made = false;
    const alive = (): boolean => {
      if (!made) shop.git(url, "update-ref", "refs/heads/edge/test", tip);
      made = true;
      return true;
    };
    const request = writeRequest({ url, branch: "edge/test", delivery: { createBranch: "fromDefault" } });
    const result = await writeFiles(request, { ...context, alive });
    expect(result.attempts).toBe(2);
    expect(shop.log(url, "edge/test")).toEqual([result.commit, tip]);
  });

  it("is made once by several processes at once, with a commit for each", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const numbers = [1, 2, 3, 4];
    const codes = await Promise.all(
      numbers.map((n) => {
        const delivery = { createBranch: "fromDefault" } as const;
        const request = writeRequest({
          url,
          branch: "edge/test",
          directory: `clusters/edge-${n}/flux`,
          delivery,
        });
        const writer = join(import.meta.dirname, "../support/gitWriter.ts");
        // A cache of its own each: no lock puts them in order.
        const env = { ...shop.env, XDG_CACHE_HOME: `${shop.folder}/cache-${n}` };
        const child = spawn(process.execPath, [writer, JSON.stringify(request), shop.tempRoot], { env });
        return new Promise((resolve) => child.on("close", resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(shop.log(url, "edge/test")).toHaveLength(5);
    expect(Object.keys(shop.contents(url, "clusters", "edge/test"))).toEqual(
      numbers.map((n) => `clusters/edge-${n}/flux/web.yaml`),
    );
  });
});
