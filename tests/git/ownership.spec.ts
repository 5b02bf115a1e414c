import { readdirSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GitError, readFiles, writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { compareMeaning } from "../../flux/compareMeaning.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { beforeOf, type Overrides, writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let context: GitContext;
beforeEach(() => {
  shop = new GitWorkshop();
  context = { env: shop.env, tempRoot: shop.tempRoot, compare: compareMeaning };
});
afterEach(() => {
  expect(readdirSync(shop.tempRoot)).toEqual([]);
  shop.remove();
});

const path = "clusters/edge-1/flux/web.yaml";
const set = (interval: string, more = ""): string =>
  `kind: Kustomization\nmetadata:\n  name: web\nspec:\n  interval: ${interval}\n  prune: true\n${more}`;

const write = (url: string, interval: string, overrides: Overrides = {}): Promise<WriteResult> =>
  writeFiles(writeRequest({ url, files: { "web.yaml": set(interval) }, ...overrides }), context);

const inventory = "clusters/edge-1/flux/.arcflux-inventory";
/** Paths that a commit changed. */
const changed = (url: string, commit: string): string[] =>
  shop.git(url, "diff-tree", "--no-commit-id", "--name-only", "-r", commit).split("\n");

const refusal = async (promise: Promise<unknown>): Promise<GitError> => {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof GitError)) throw new Error(`expected a GitError, got ${JSON.stringify(error)}`);
  return error;
};

describe("a file that is there already", () => {
  const reordered = `# by hand\nspec: {prune: true, interval: "60m0s"}\nmetadata: {name: 'web'}\nkind: Kustomization`;

  it("B09(a): is taken over as it is when it means the same, and stays so until the fleet changes", async () => {
    const url = await shop.repository({ [path]: reordered });
    const first = await write(url, "1h");
    expect(changed(url, first.commit)).toEqual([inventory]);
    expect(first).toMatchObject({
      kind: "committed",
      blobs: { "web.yaml": shop.blob(reordered) },
      adopted: { "web.yaml": shop.blob(set("1h")) },
    });
    // Another file of the cluster changes: no commit for the formatting of this one.
    const files = { "web.yaml": set("1h"), "new.yaml": "a: 1\n" };
    const second = await write(url, "1h", { before: beforeOf(first), files });
    expect(changed(url, second.commit)).toEqual([inventory, "clusters/edge-1/flux/new.yaml"]);
    const third = await write(url, "2h", { before: beforeOf(second) });
    expect(third.kind).toBe("committed");
    expect(third.adopted).toBeUndefined();
    expect(shop.contents(url, path)[path]).toBe(set("2h"));
  });

  it("B09(b): is refused with the fields that differ, unless adoption is forced", async () => {
    const url = await shop.repository({ [path]: set("5m", "  suspend: true\n") });
    const error = await refusal(write(url, "10m"));
    expect(error.kind).toBe("conflict");
    expect(error.message).toContain(`${path}: it is there already, and this stack did not write it`);
    expect(error.message).toContain('      spec.interval: "5m" -> "10m"\n');
    expect(error.message).toContain("      spec.suspend: true -> (absent)\n");
    expect(error.message).toMatch(/by commit [0-9a-f]{10} of Pat, 2023-11-14T22:13:20\+00:00: By hand/);
    expect(error.message).toContain('adopt: "overwrite"');
    expect(shop.log(url)).toHaveLength(1);

    expect(await write(url, "10m", { adopt: "overwrite" })).toMatchObject({ kind: "committed" });
    expect(shop.contents(url, path)[path]).toBe(set("10m"));
  });

  it("B09(c): with objects of others in it is refused, also when adoption is forced", async () => {
    const both = `${set("10m")}---\nkind: ConfigMap\nmetadata:\n  name: theirs\n  namespace: web\n`;
    const url = await shop.repository({ [path]: both });
    for (const adopt of ["same", "overwrite"] as const) {
      const error = await refusal(write(url, "10m", { adopt }));
      expect(error.message).toContain("objects that are not of this stack (ConfigMap web/theirs)");
    }
    expect(shop.contents(url, path)[path]).toBe(both);
  });

  it("B06: with other line ends or no final newline is taken for the same, also one of ours that was renormalised", async () => {
    const crlf = set("10m").trimEnd().replaceAll("\n", "\r\n");
    const url = await shop.repository({ [path]: crlf, ".gitattributes": "* text=auto eol=crlf\n" });
    const first = await write(url, "10m");
    expect(first).toMatchObject({ blobs: { "web.yaml": shop.blob(crlf) } });
    expect(changed(url, first.commit)).toEqual([inventory]);

    // With its state, and without.
    for (const state of [{ before: beforeOf(first) }, {}]) {
      const again = await write(url, "10m", state);
      expect(again).toMatchObject({ kind: "unchanged", blobs: { "web.yaml": shop.blob(crlf) } });
    }

    const ours = await write(url, "20m", { before: beforeOf(first) });
    const other = set("20m").replaceAll("\n", "\r\n");
    shop.commit(url, { [path]: other }, { message: "Renormalise" });
    const noted = await write(url, "20m", { before: beforeOf(ours) });
    expect(changed(url, noted.commit)).toEqual([inventory]);
    expect(shop.contents(url, path)[path]).toBe(other);
  });

  it("is compared on a server that only gives out tips, too", async () => {
    const repository = await shop.repository({ [path]: set("5m") });
    shop.git(repository, "config", "uploadpack.allowFilter", "false");
    shop.git(repository, "config", "--unset", "uploadpack.allowAnySHA1InWant");
    const server = await startGitServer({ root: shop.folder });
    const error = await refusal(write(`${server.url}/fleet.git`, "10m")).finally(() => server.close());
    expect(error.message).toContain('spec.interval: "5m" -> "10m"');
    expect(error.message).toContain("of Pat");
  });
});

describe("a file of ours that someone changed since", () => {
  it("stops the write with the fields, the commit, its author, its date and its subject", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    const hotfix = shop.commit(url, { [path]: set("1m") }, { message: "INC-7: faster\n\nBody." });
    for (let note = 0; note < 20; note += 1) shop.commit(url, { [`notes/${note}.md`]: "n\n" });

    const error = await refusal(write(url, "20m", { before: beforeOf(first) }));

    expect(error.kind).toBe("conflict");
    expect(error.message).toContain(`${path}: someone changed it after this stack wrote it`);
    expect(error.message).toContain(
      `by commit ${hotfix.slice(0, 10)} of Pat, 2023-11-14T22:13:20+00:00: INC-7: faster\n`,
    );
    expect(error.message).toContain('spec.interval: "1m" -> "20m"');
    expect(error.message).toContain('drift: "restore"');
    expect(error.conflicts[0]?.by?.commit).toBe(hotfix);
    expect(shop.contents(url, path)[path]).toBe(set("1m"));
  });

  it("or deleted: the commit that did is named", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const files = { "web.yaml": set("10m"), "b.yaml": "b: 1\n" };
    const first = await write(url, "10m", { files });
    const deletion = shop.commit(url, { [path]: null }, { message: "Not wanted" });
    const error = await refusal(write(url, "10m", { files, before: beforeOf(first) }));
    expect(error.message).toContain(`${path}: someone deleted it`);
    expect(error.message).not.toContain("move the file");
    expect(error.conflicts[0]?.by).toMatchObject({ commit: deletion, subject: "Not wanted" });
  });

  it("is put back by drift: restore, together with a deleted one, in one commit", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const files = { "web.yaml": set("10m"), "b.yaml": "b: 1\n", "c.yaml": "c: 1\n" };
    const first = await write(url, "10m", { files });
    shop.commit(url, { [path]: set("1m"), "clusters/edge-1/flux/b.yaml": null });
    const restored = await write(url, "10m", { files, before: beforeOf(first), drift: "restore" });
    expect(restored).toMatchObject({ kind: "committed", blobs: first.blobs });
    expect(shop.log(url)).toHaveLength(4);
    expect(shop.contents(url, "clusters")).toEqual({
      [path]: set("10m"),
      "clusters/edge-1/flux/b.yaml": "b: 1\n",
      "clusters/edge-1/flux/c.yaml": "c: 1\n",
    });
  });

  it("that got an object of someone else is not put back over it", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    shop.commit(url, { [path]: `${set("10m")}---\nkind: ConfigMap\nmetadata: {name: theirs}\n` });
    const error = await refusal(write(url, "10m", { before: beforeOf(first), drift: "restore" }));
    expect(error.message).toContain("ConfigMap theirs");
  });

  it("by a revert stays reverted through two updates", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    const second = await write(url, "20m", { before: beforeOf(first) });
    const revert = shop.commit(
      url,
      { [path]: set("10m") },
      { message: `Revert\n\nThis reverts ${second.commit}.` },
    );
    for (const interval of ["20m", "30m"]) {
      const error = await refusal(write(url, interval, { before: beforeOf(second) }));
      expect(error.conflicts[0]?.by?.commit).toBe(revert);
    }
    expect(shop.contents(url, path)[path]).toBe(set("10m"));
  });

  it("by a revert of the very commit that made the folder stays reverted too, until drift: restore", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    const message = `Revert "Update edge-1"\n\nThis reverts commit ${first.commit}.`;
    const revert = shop.commit(url, { [path]: null }, { message });
    for (const interval of ["10m", "30m"]) {
      const error = await refusal(write(url, interval, { before: beforeOf(first) }));
      expect(error.conflicts[0]?.by).toMatchObject({ commit: revert, reverts: first.commit });
    }
    const place = {
      url,
      branch: "main",
      directory: "clusters/edge-1/flux",
      paths: ["web.yaml"],
      orRevert: true,
    };
    expect((await readFiles(place, context))?.reverted?.commit).toBe(revert);
    expect(await write(url, "10m", { before: beforeOf(first), drift: "restore" })).toMatchObject({
      kind: "committed",
    });
  });

  it.each([
    ["GitHub's button", 'Revert "Update edge-1 (#12)" (#13)\n\nReverts org/fleet#12'],
    ["GitHub's, with an edited body", 'Revert "Update edge-1 (#12)" (#13)'],
    ["GitLab's button", "Revert \"Merge branch 'arcflux' into 'main'\"\n\nThis reverts merge request !12"],
    ["GitHub's list of a squash", 'Tidy up (#14)\n\n* Revert "Update edge-1"\n\n* More'],
    ["words of one's own", "Reverts !7"],
    ["a conventional commit", "revert: Update edge-1"],
    ["a wrapped line", "Take back\n\nThis reverts\ncommit 0123456789."],
    ["Azure DevOps' button", "Merged PR 13: Revert 'Update edge-1'\n\nReverted commit `0123456789`."],
  ])("by %s, of what made the folder, stays reverted too", async (_, message) => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    const revert = shop.commit(url, { [path]: null }, { message });
    for (const interval of ["10m", "30m"]) {
      const error = await refusal(write(url, interval, { before: beforeOf(first) }));
      expect(error.conflicts[0]?.by?.commit).toBe(revert);
    }
    expect(shop.contents(url, "clusters")).toEqual({});
  });

  it("by the merge of a branch with a revert in it stays reverted too", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    shop.git(url, "branch", "undo", "main");
    const message = `Revert "Update edge-1"\n\nThis reverts commit ${first.commit}.`;
    shop.commit(url, { [path]: null }, { message, branch: "undo" });
    shop.commit(url, { "after.md": "more\n" }, { message: "Tidy", branch: "undo" });
    const tree = shop.git(url, "rev-parse", "undo^{tree}");
    const parents = ["-p", shop.git(url, "rev-parse", "main"), "-p", shop.git(url, "rev-parse", "undo")];
    const pat = ["-c", "user.name=Pat", "-c", "user.email=pat@example.com"];
    const merge = shop.git(url, ...pat, "commit-tree", tree, ...parents, "-m", "Take it back");
    shop.git(url, "update-ref", "refs/heads/main", merge);
    for (const interval of ["10m", "30m"]) {
      const error = await refusal(write(url, interval, { before: beforeOf(first) }));
      expect(error.conflicts[0]?.by).toMatchObject({ commit: merge, reverts: first.commit });
    }
  });

  it("by a rewritten history is not written over either, and the commit that is there now is named", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const provenance = { project: "arcflux", stack: "dev", operation: "update", version: "1.0.0" } as const;
    const ours = { provenance };
    const first = await write(url, "10m", ours);
    const second = await write(url, "20m", { before: beforeOf(first), ...ours });
    shop.git(url, "update-ref", "refs/heads/main", first.commit);
    const error = await refusal(write(url, "30m", { before: beforeOf(second), ...ours }));
    expect(error.conflicts[0]?.by?.commit).toBe(first.commit);
    // Nobody changed the file: reverting that commit would take the folder away.
    expect(error.message).toContain(
      `${path}: it was set back to what was there before this stack's last write`,
    );
    expect(error.message).not.toContain("revert the commit");
    expect(shop.log(url)[0]).toBe(first.commit);
  });

  it("says so when the commit is too far back to be found", async () => {
    const url = await shop.repository({ [path]: set("5m") });
    const stream = Array.from(
      { length: 300 },
      (_, note) =>
        `commit refs/heads/main\ncommitter Pat <pat@example.com> 1700000000 +0000\ndata 1\nx\n${note === 0 ? "from refs/heads/main^0\n" : ""}M 100644 inline n\ndata ${String(note).length}\n${note}\n`,
    );
    shop.gitWithInput(url, Buffer.from(stream.join("")), "fast-import", "--quiet");
    const error = await refusal(write(url, "10m"));
    expect(error.message).toContain("by a commit that is not among the last 256 of the branch");
    expect(error.conflicts[0]?.by).toBeUndefined();
  });
});

describe("a run that could not save its state", () => {
  it("is followed by one that knows its files, even if the fleet has changed since (B09d, D06)", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    // Killed after its push: the next create knows nothing, and the fleet says something else.
    const second = await write(url, "20m");
    expect(second.kind).toBe("committed");
    // And twice in a row from the state of the first.
    const third = await write(url, "30m", { before: beforeOf(first) });
    expect(third.kind).toBe("committed");
    expect(shop.contents(url, path)[path]).toBe(set("30m"));
    expect(shop.log(url)).toHaveLength(4);
  });

  it("is followed by one that deletes what the fleet no longer has", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const first = await write(url, "10m");
    await write(url, "20m", { before: beforeOf(first) });
    const gone = await write(url, "20m", { files: { "b.yaml": "b: 1\n" }, before: beforeOf(first) });
    expect(gone.kept).toEqual([]);
    expect(shop.contents(url, "clusters")).toEqual({ "clusters/edge-1/flux/b.yaml": "b: 1\n" });
  });

  it("is known on another machine, and a branch set back is still a drift", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const files = (interval: string): Record<string, string> => ({
      "web.yaml": set(interval),
      "b.yaml": "b: 1\n",
    });
    const first = await write(url, "10m", { files: files("10m") });
    const before = beforeOf(first);
    // Killed after its push, three times; it changed one file and deleted another.
    for (const interval of ["20m", "25m", "27m"]) await write(url, interval, { before });
    rmSync(shop.cache, { recursive: true });
    const last = await write(url, "30m", { before, files: files("30m") });
    expect(last).toMatchObject({ kind: "committed", serial: 2, serials: { "web.yaml": 2, "b.yaml": 2 } });
    expect(Object.keys(shop.contents(url, "clusters"))).toHaveLength(2);

    shop.git(url, "update-ref", "refs/heads/main", first.commit);
    const error = await refusal(write(url, "40m", { before: beforeOf(last) }));
    expect(error.conflicts.map(({ kind }) => kind)).toEqual(["setBack"]);
    expect(await write(url, "40m", { before: beforeOf(last), drift: "restore" })).toMatchObject({
      serial: 3,
    });
  });

  it("or a state that was lost needs no cache either: the inventory names us", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    await write(url, "10m");
    rmSync(shop.cache, { recursive: true });
    expect(await write(url, "20m")).toMatchObject({ kind: "committed", serial: 2 });
    expect(await write(url, "20m")).toMatchObject({ kind: "unchanged" });
  });

  it("does not make files of another stack its own, nor of a person", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    await write(url, "10m");
    const refused = await refusal(write(url, "20m", { owner: "arcflux/prod/edge-1" }));
    expect(refused.conflicts).toMatchObject([{ kind: "owner", path: inventory }]);
    expect(refused.message).toContain("this folder belongs to arcflux/dev/edge-1");
    shop.commit(url, { [path]: set("15m") });
    expect((await refusal(write(url, "20m"))).conflicts).toMatchObject([{ kind: "changed", path }]);
  });
});

describe("reading contents", () => {
  it("gives the bytes of the files asked for", async () => {
    const url = await shop.repository({ [path]: "one\n", "clusters/edge-1/flux/b.yaml": "two\n" });
    const request = {
      url,
      branch: "main",
      directory: "clusters/edge-1/flux",
      paths: ["web.yaml", "b.yaml", "c.yaml"],
    };
    const read = await readFiles({ ...request, contentsOf: (blobs) => Object.keys(blobs) }, context);
    expect(read?.contents?.["web.yaml"]?.toString()).toBe("one\n");
    expect(read?.contents?.["b.yaml"]?.toString()).toBe("two\n");
    expect(Object.keys(read?.contents ?? {})).toHaveLength(2);
  });
});
