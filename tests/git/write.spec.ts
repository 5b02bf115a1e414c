import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GitError, readFiles, writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { beforeOf, type Overrides, writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let context: GitContext;
beforeEach(() => {
  shop = new GitWorkshop();
  context = { env: shop.env, tempRoot: shop.tempRoot };
});
afterEach(() => shop.remove());

const write = (url: string, overrides: Overrides = {}): Promise<WriteResult> =>
  writeFiles(writeRequest({ url, ...overrides }), context);

const refusal = async (promise: Promise<unknown>): Promise<GitError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitError)) throw new Error(`expected a GitError, got ${String(error)}`);
  return error;
};

describe("writing files", () => {
  it("nothing to change means no commit", async () => {
    const url = await shop.repository({ "clusters/edge-1/flux/web.yaml": "kind: Kustomization\n" });
    // What is there already is taken over by an inventory alone.
    const first = await write(url);
    expect(first.kind).toBe("committed");
    const before = shop.git(url, "rev-parse", "main");

    const result = await write(url, { before: beforeOf(first) });

    expect(result).toEqual({
      kind: "unchanged",
      commit: before,
      blobs: { "web.yaml": shop.blob("kind: Kustomization\n") },
      serials: { "web.yaml": 1 },
      serial: 1,
      left: [],
      kept: [],
      attempts: 0,
    });
    expect(shop.log(url)).toHaveLength(2);
    expect(shop.contents(url, "")).toEqual({ "clusters/edge-1/flux/web.yaml": "kind: Kustomization\n" });
    expect(shop.inventories(url)).toEqual({
      "clusters/edge-1/flux/.arcflux-inventory": [
        "# Whose files these are, by Arcflux. Flux does not read this file. Do not edit it.",
        "owner arcflux/dev/edge-1",
        "",
        "/clusters/edge-1/flux/web.yaml",
        `  100644 ${shop.blob("kind: Kustomization\n")} 1`,
        "",
      ].join("\n"),
    });
  });

  it("adds, changes and deletes in one commit on top of the tip", async () => {
    const url = await shop.repository({
      "README.md": "read me\n",
      "clusters/edge-1/flux/old.yaml": "old\n",
      "clusters/edge-1/flux/web.yaml": "one\n",
    });
    const [tip] = shop.log(url);

    const result = await write(url, {
      files: { "web.yaml": "two\n", "apps/values/a.yaml": "ä\n" },
      owned: { "web.yaml": shop.blob("one\n"), "old.yaml": shop.blob("old\n") },
      message: "Update edge-1\n\nBody.",
    });

    expect(result.kind).toBe("committed");
    expect(result.blobs).toEqual({ "web.yaml": shop.blob("two\n"), "apps/values/a.yaml": shop.blob("ä\n") });
    expect(shop.log(url)).toEqual([result.commit, tip]);
    expect(shop.contents(url, "")).toEqual({
      "README.md": "read me\n",
      "clusters/edge-1/flux/apps/values/a.yaml": "ä\n",
      "clusters/edge-1/flux/web.yaml": "two\n",
    });
    expect(shop.git(url, "log", "-1", "--format=%an|%ae|%cn|%ce|%B")).toBe(
      "Arcflux|arcflux@example.com|Arcflux|arcflux@example.com|Update edge-1\n\nBody.",
    );
    expect(shop.try(url, "fsck", "--strict")).toBeDefined();
  });

  it("writes to the root of the repository", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    await write(url, { directory: "" });
    expect(shop.contents(url, "")).toEqual({ "README.md": "read me\n", "web.yaml": "kind: Kustomization\n" });
  });

  it("B11: ten reruns make no commit", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url);
    for (let rerun = 0; rerun < 10; rerun++) {
      expect(await write(url, { before: beforeOf(first) })).toMatchObject({
        kind: "unchanged",
        commit: first.commit,
      });
    }
    expect(shop.log(url)).toHaveLength(2);
  });

  it("B09(d): files of an earlier write are ours when the state was lost", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url);
    expect(await write(url)).toMatchObject({ kind: "unchanged", blobs: first.blobs });
    expect(shop.log(url)).toHaveLength(2);
  });
});

describe("files that someone else wrote or changed", () => {
  it("are reported all at once, and nothing is written", async () => {
    const url = await shop.repository({
      "clusters/edge-1/flux/foreign.yaml": "theirs\n",
      "clusters/edge-1/flux/changed.yaml": "hotfix\n",
    });

    const error = await refusal(
      write(url, {
        files: {
          "foreign.yaml": "ours\n",
          "changed.yaml": "ours\n",
          "gone.yaml": "ours\n",
          "new.yaml": "ours\n",
        },
        owned: { "changed.yaml": shop.blob("ours\n"), "gone.yaml": shop.blob("ours\n") },
      }),
    );

    expect(error.kind).toBe("conflict");
    expect(error.conflicts.map(({ path, found, expected }) => ({ path, found, expected }))).toEqual([
      { path: "clusters/edge-1/flux/foreign.yaml", found: shop.blob("theirs\n"), expected: undefined },
      {
        path: "clusters/edge-1/flux/changed.yaml",
        found: shop.blob("hotfix\n"),
        expected: shop.blob("ours\n"),
      },
      { path: "clusters/edge-1/flux/gone.yaml", found: undefined, expected: shop.blob("ours\n") },
    ]);
    expect(error.message).toContain("clusters/edge-1/flux/gone.yaml: someone deleted it");
    expect(error.message).toContain("Take the change into the fleet file");
    expect(shop.log(url)).toHaveLength(1);
  });

  it("are put back when the whole folder is gone", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const result = await write(url, { owned: { "web.yaml": shop.blob("kind: Kustomization\n") } });
    expect(result.kind).toBe("committed");
  });

  it.each([
    ["symlink", { "clusters/edge-1/flux/web.yaml": { mode: "120000", data: "kind: Kustomization\n" } }],
    ["submodule", { "clusters/edge-1/flux": { mode: "160000", id: "1".repeat(40) } }],
    ["symlink", { "clusters/edge-1": { mode: "120000", data: "../elsewhere" } }],
    ["file", { clusters: "not a folder\n" }],
    ["folder", { "clusters/edge-1/flux/web.yaml/deeper": "x\n" }],
  ])("a %s in the way is an error", async (kind, fixture) => {
    const url = await shop.repository(fixture);
    const error = await refusal(write(url));
    expect(error.kind).toBe("conflict");
    expect(error.message).toContain(`a ${kind}`);
    // No setting helps, so none is named; nor would it.
    expect(error.message).toContain("move it out of the way in Git");
    expect(error.message).not.toMatch(/drift|adopt/);
    const owned = { "web.yaml": shop.blob("kind: Kustomization\n") };
    await refusal(write(url, { owned, drift: "restore", adopt: "overwrite" }));
    expect(shop.log(url)).toHaveLength(1);
  });

  it("an owned file that became a symlink with the same bytes is not deleted", async () => {
    const url = await shop.repository({ "clusters/edge-1/flux/a.yaml": { mode: "120000", data: "x" } });
    const result = await write(url, { files: {}, owned: { "a.yaml": shop.blob("x") } });
    expect(result).toMatchObject({ kind: "unchanged", kept: ["clusters/edge-1/flux/a.yaml"] });
  });
});

describe("deleting", () => {
  it("B08: only our unchanged files go; siblings, hand-written and changed files stay", async () => {
    const url = await shop.repository({
      "clusters/west-wa-bell.yaml": "metadata\n",
      "clusters/west-wa-bell/flux/web.yaml": "ours\n",
      "clusters/west-wa-bell/flux/pos.yaml": "changed by hand\n",
      "clusters/west-wa-bell/flux/extra.yaml": "hand-written\n",
      "clusters/west-wa-bell-2/flux/web.yaml": "ours\n",
    });

    const result = await write(url, {
      directory: "clusters/west-wa-bell/flux",
      files: {},
      owned: {
        "web.yaml": shop.blob("ours\n"),
        "pos.yaml": shop.blob("ours\n"),
        "never.yaml": shop.blob("gone\n"),
      },
    });

    expect(result).toMatchObject({
      kind: "committed",
      blobs: {},
      kept: ["clusters/west-wa-bell/flux/pos.yaml"],
    });
    expect(shop.contents(url, "")).toEqual({
      "clusters/west-wa-bell.yaml": "metadata\n",
      "clusters/west-wa-bell/flux/pos.yaml": "changed by hand\n",
      "clusters/west-wa-bell/flux/extra.yaml": "hand-written\n",
      "clusters/west-wa-bell-2/flux/web.yaml": "ours\n",
    });
  });

  it("folders left empty disappear, up to the root", async () => {
    const url = await shop.repository({ "clusters/edge-1/flux/web.yaml": "ours\n" });
    await write(url, { files: {}, owned: { "web.yaml": shop.blob("ours\n") } });
    expect(shop.git(url, "ls-tree", "-r", "-t", "main")).toBe("");
    expect(await write(url)).toMatchObject({ kind: "committed" });
  });
});

describe("reading", () => {
  it("gives the blobs that are there", async () => {
    const url = await shop.repository({
      "clusters/edge-1/flux/web.yaml": "web\n",
      "clusters/edge-1/flux/sub/x": "x\n",
    });
    const request = {
      url,
      branch: "main",
      directory: "clusters/edge-1/flux",
      paths: ["web.yaml", "none", "sub"],
    };
    expect(await readFiles(request, context)).toEqual({
      commit: shop.log(url)[0],
      blobs: { "web.yaml": shop.blob("web\n") },
    });
  });

  it("tells a branch that does not exist from a repository that cannot be reached", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const request = { url, branch: "none", directory: "", paths: ["README.md"] };
    expect(await readFiles(request, context)).toBeUndefined();
    expect((await refusal(readFiles({ ...request, url: `${url}.gone` }, context))).kind).toBe("unreachable");
  });
});
