import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { GitContext, GitError, WriteRequest, WriteResult } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let url: string;
let context: GitContext;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
  context = { env: shop.env, tempRoot: shop.tempRoot };
});
afterEach(() => {
  expect(readdirSync(shop.tempRoot)).toEqual([]);
  shop.remove();
});

const cluster = (name: string, overrides: Partial<WriteRequest> = {}): WriteRequest =>
  writeRequest({ url, directory: `clusters/${name}`, message: `Update ${name}`, ...overrides });

const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `edge-${String(index).padStart(2, "0")}`);

/** Has the server count pushes, and refuse those with a path that matches. */
function countPushes(refuse = "^$"): void {
  shop.writeHook(
    url,
    "pre-receive",
    `read old new ref; echo x >> ${shop.folder}/pushes; ` +
      `if git diff --name-only $old $new | grep -q '${refuse}'; then echo "no $ref for you" >&2; exit 1; fi`,
  );
}
const pushes = (): number =>
  existsSync(join(shop.folder, "pushes"))
    ? readFileSync(join(shop.folder, "pushes"), "utf8").split("\n").length - 1
    : 0;

const outcomes = async (writes: Promise<WriteResult>[]): Promise<string[]> =>
  (await Promise.allSettled(writes)).map((one) =>
    one.status === "fulfilled" ? one.value.kind : (one.reason as GitError).kind,
  );

describe("writes that come at the same time", () => {
  it("are a commit each, in the order they came, and one push", async () => {
    countPushes();
    const results = await Promise.all(names(12).map((name) => writeFiles(cluster(name), context)));
    expect(pushes()).toBe(1);
    expect(shop.git(url, "log", "--reverse", "--format=%s", "main").split("\n")).toEqual([
      "By hand",
      ...names(12).map((name) => `Update ${name}`),
    ]);
    expect(shop.git(url, "rev-list", "--merges", "main")).toBe("");
    expect(results.map(({ commit }) => commit)).toEqual(shop.log(url).slice(0, 12).reverse());
    for (const [index, name] of names(12).entries()) {
      const { commit = "" } = results[index] ?? {};
      expect(shop.git(url, "diff-tree", "--no-commit-id", "--name-status", "-r", commit)).toBe(
        `A\tclusters/${name}/.arcflux-inventory\nA\tclusters/${name}/web.yaml`,
      );
    }
    expect(shop.try(url, "fsck", "--strict")).toBeDefined();
  });

  it("gather for the next push while one is under way", async () => {
    const hold = join(shop.folder, "go");
    shop.writeHook(
      url,
      "pre-receive",
      `echo x >> ${shop.folder}/pushes; while [ ! -e ${hold} ]; do sleep 0.02; done`,
    );
    const first = writeFiles(cluster("first"), context);
    await shop.waitFor("pushes");
    const others = names(5).map((name) => writeFiles(cluster(name), context));
    shop.writeHook(url, "post-receive", "true");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(hold, "");
    await Promise.all([first, ...others]);
    expect(pushes()).toBe(2);
    expect(shop.log(url)).toHaveLength(7);
  });

  it("fail one by one: a conflict, a refusal and nothing to do leave the others alone", async () => {
    shop.commit(url, { "clusters/edge-01/web.yaml": "theirs\n" });
    await writeFiles(cluster("edge-03"), context);
    countPushes("edge-02/");
    const kinds = await outcomes(names(8).map((name) => writeFiles(cluster(name), context)));
    expect(kinds).toEqual([
      "committed",
      "conflict",
      "refused",
      "unchanged",
      "committed",
      "committed",
      "committed",
      "committed",
    ]);
    expect(shop.contents(url, "clusters")).toEqual(
      Object.fromEntries(
        [0, 1, 3, 4, 5, 6, 7].map((number) => [
          `clusters/edge-0${number}/web.yaml`,
          number === 1 ? "theirs\n" : "kind: Kustomization\n",
        ]),
      ),
    );
  });

  it("that are all refused are each told so, after a bounded number of pushes", async () => {
    countPushes(".");
    const kinds = await outcomes(names(16).map((name) => writeFiles(cluster(name), context)));
    expect(kinds).toEqual(names(16).map(() => "refused"));
    // 16, 8, 4, 2, 1, 1, then singles for what is left: 2, 4 and 8 members.
    expect(pushes()).toBeLessThanOrEqual(16 + 8);
    expect(shop.log(url)).toHaveLength(1);
  });

  it("of the same path go one after the other, and the second sees what the first did", async () => {
    const one = writeFiles(cluster("a", { files: { "web.yaml": "one\n" } }), context);
    const owner = "arcflux/dev/other";
    const two = writeFiles(cluster("a", { files: { "web.yaml": "two\n" }, owner }), context);
    const three = writeFiles(cluster("a", { files: { "WEB.yaml": "three\n" }, owner }), context);
    const four = writeFiles(cluster("a", { files: { "web.yaml": "four\n" } }), context);
    expect(await outcomes([one, two, three, four])).toEqual([
      "committed",
      "conflict",
      "conflict",
      "committed",
    ]);
    expect(shop.contents(url, "clusters")).toEqual({ "clusters/a/web.yaml": "four\n" });
  });

  it("are all built again on the new tip after a lost race, and each is checked again", async () => {
    let asked = 0;
    const racing: GitContext = {
      ...context,
      sleep: () => Promise.resolve(),
      alive: () => {
        if ((asked += 1) === 1) shop.commit(url, { "clusters/edge-01/web.yaml": "theirs\n" });
        return true;
      },
    };
    const writes = names(3).map((name) => writeFiles(cluster(name), racing));
    expect(await outcomes(writes)).toEqual(["committed", "conflict", "committed"]);
    expect(await writes[0]).toMatchObject({ attempts: 2 });
    expect(shop.log(url)).toHaveLength(4);
  });

  it("are all called off when the caller is gone", async () => {
    const gone: GitContext = { ...context, alive: () => false };
    const kinds = await outcomes(names(3).map((name) => writeFiles(cluster(name), gone)));
    expect(kinds).toEqual(["abandoned", "abandoned", "abandoned"]);
    expect(shop.log(url)).toHaveLength(1);
  });

  it("to two branches do not wait for each other", async () => {
    shop.git(url, "branch", "other", "main");
    shop.writeHook(
      url,
      "pre-receive",
      `read old new ref; test $ref = refs/heads/other && exit 0; while [ ! -e ${shop.folder}/go ]; do sleep 0.02; done`,
    );
    const main = writeFiles(cluster("a"), context);
    expect(await writeFiles(cluster("a", { branch: "other" }), context)).toMatchObject({ kind: "committed" });
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(shop.folder, "go"), "");
    expect(await main).toMatchObject({ kind: "committed" });
  });
});
