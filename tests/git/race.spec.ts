import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

/** A context in which `beforePush` happens between the fetch and the nth push. */
const racing = (beforePush: (attempt: number) => void): GitContext => {
  let attempt = 0;
  return {
    env: shop.env,
    tempRoot: shop.tempRoot,
    sleep: () => Promise.resolve(),
    alive: () => {
      // Asked before each push, and after each lost one before the next fetch.
      if (++attempt % 2 === 1) beforePush((attempt + 1) / 2);
      return true;
    },
  };
};

describe("a branch that others push to", () => {
  it("B01: five writers and a person at once leave a linear history with everyone's commit", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    const clusters = ["edge-1", "edge-2", "edge-3", "edge-4", "edge-5"];

    const writers = clusters.map(async (cluster) => {
      const request = writeRequest({
        url,
        directory: `clusters/${cluster}/flux`,
        message: `Update ${cluster}`,
      });
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--disable-warning=ExperimentalWarning", writer, JSON.stringify(request), shop.tempRoot],
        { env: shop.env },
      );
      return JSON.parse(stdout) as WriteResult;
    });
    for (let note = 1; note <= 5; note++) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const push = (): string =>
        shop.commit(url, { [`notes/${note}.md`]: "note\n" }, { message: `Note ${note}` });
      await vi.waitFor(push, { timeout: 10_000, interval: 5 });
    }
    const results = await Promise.all(writers);

    expect(results.map((result) => result.kind)).toEqual(clusters.map(() => "committed"));
    const subjects = shop.git(url, "log", "--format=%s", "main").split("\n").sort();
    const notes = [1, 2, 3, 4, 5].map((note) => `Note ${note}`);
    expect(subjects).toEqual(["By hand", ...notes, ...clusters.map((cluster) => `Update ${cluster}`)]);
    expect(shop.git(url, "rev-list", "--merges", "main")).toBe("");
    expect(Object.keys(shop.contents(url, "")).sort()).toEqual([
      "README.md",
      ...clusters.map((cluster) => `clusters/${cluster}/flux/web.yaml`),
      ...[1, 2, 3, 4, 5].map((note) => `notes/${note}.md`),
    ]);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
  });

  it("is tried again on the new tip, and the other's commit stays", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const context = racing((attempt) => {
      if (attempt <= 2) shop.commit(url, { [`notes/${attempt}.md`]: "note\n" });
    });
    const result = await writeFiles(writeRequest({ url }), context);
    expect(result).toMatchObject({ kind: "committed", attempts: 3 });
    expect(shop.log(url)).toHaveLength(4);
    expect(Object.keys(shop.contents(url, ""))).toEqual([
      "README.md",
      "clusters/edge-1/flux/web.yaml",
      "notes/1.md",
      "notes/2.md",
    ]);
  });

  it("is checked again after a lost race: a file that someone just wrote there is not overwritten", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const context = racing(() => shop.commit(url, { "clusters/edge-1/flux/web.yaml": "theirs\n" }));
    await expect(writeFiles(writeRequest({ url }), context)).rejects.toMatchObject({ kind: "conflict" });
    expect(shop.contents(url, "clusters")).toEqual({ "clusters/edge-1/flux/web.yaml": "theirs\n" });
  });

  it("B16: a branch set back between fetch and push does not get the dropped commit back", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const [base = ""] = shop.log(url);
    shop.commit(url, { "mistake.yaml": "dropped\n" });
    const context = racing((attempt) => {
      if (attempt === 1) shop.git(url, "update-ref", "refs/heads/main", base);
    });
    const result = await writeFiles(writeRequest({ url }), context);
    expect(result).toMatchObject({ kind: "committed", attempts: 2 });
    expect(shop.log(url)).toEqual([result.commit, base]);
  });

  it("B16: nor does a branch set back to the state before our own last try", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const [base = ""] = shop.log(url);
    const context = racing((attempt) => {
      // First ahead of us, so that a first commit of ours is left over, then back to what it was built on.
      if (attempt === 1) shop.commit(url, { "mistake.yaml": "dropped\n" });
      if (attempt === 2) shop.git(url, "update-ref", "refs/heads/main", base);
    });
    const result = await writeFiles(writeRequest({ url }), context);
    expect(result).toMatchObject({ kind: "committed", attempts: 3 });
    expect(shop.log(url)).toEqual([result.commit, base]);
  });

  it("that was deleted between fetch and push is not made again, and an error", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.git(url, "branch", "other", "main");
    const context = racing((attempt) => {
      if (attempt === 1) shop.git(url, "update-ref", "-d", "refs/heads/main");
    });
    await expect(writeFiles(writeRequest({ url }), context)).rejects.toMatchObject({ kind: "missingBranch" });
    expect(shop.git(url, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/other");
  });

  it.each(["file", "HTTP"])(
    "that moves while the server takes the push in is a race too, over %s",
    async (transport) => {
      const repository = await shop.repository({ "README.md": "read me\n" });
      const other = shop.commit(repository, { "notes/1.md": "note\n" }, { branch: "other" });
      // A hook may not move refs as long as git marks it as one that runs before the push is accepted.
      const move = `unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main ${other}`;
      shop.writeHook(repository, "pre-receive", `test -e done && exit 0; touch done; ${move}`);
      const server = await startGitServer({ root: shop.folder });
      const url = transport === "HTTP" ? `${server.url}/fleet.git` : `file://${repository}`;
      const context = racing(() => undefined);

      const result = await writeFiles(writeRequest({ url }), context).finally(() => server.close());

      expect(result).toMatchObject({ kind: "committed", attempts: 2 });
      expect(shop.log(repository)).toEqual([result.commit, other]);
    },
  );

  it("that never rests ends the write after the attempts allowed, with every temporary folder gone", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const waits: number[] = [];
    const context: GitContext = {
      ...racing((attempt) => shop.commit(url, { [`notes/${attempt}.md`]: "note\n" })),
      maxAttempts: 4,
      random: () => 0.5,
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    };
    await expect(writeFiles(writeRequest({ url }), context)).rejects.toMatchObject({ kind: "race" });
    expect(waits).toEqual([50, 100, 200]);
    expect(shop.log(url)).toHaveLength(5);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
  });

  it("is not pushed to once the caller is gone", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const context: GitContext = { env: shop.env, tempRoot: shop.tempRoot, alive: () => false };
    await expect(writeFiles(writeRequest({ url }), context)).rejects.toMatchObject({ kind: "abandoned" });
    expect(shop.log(url)).toHaveLength(1);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
  });

  it("gets the writes of one process one after the other", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const context: GitContext = { env: shop.env, tempRoot: shop.tempRoot };
    const directories = ["a", "b", "c", "d"].map((cluster) => `clusters/${cluster}/flux`);
    const results = await Promise.all(
      directories.map((directory) => writeFiles(writeRequest({ url, directory }), context)),
    );
    expect(results.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    expect(shop.log(url)).toHaveLength(5);
  });
});
