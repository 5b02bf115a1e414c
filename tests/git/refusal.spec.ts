import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GitError, writeFiles } from "../../git/index.ts";
import type { GitContext } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let context: GitContext;
beforeEach(() => {
  shop = new GitWorkshop();
  context = {
    env: shop.env,
    tempRoot: shop.tempRoot,
    sleep: () => Promise.reject(new Error("it must not retry")),
  };
});
afterEach(() => shop.remove());

const failing = async (url: string, overrides = {}, changes: Partial<GitContext> = {}): Promise<GitError> => {
  const error: unknown = await writeFiles(writeRequest({ url, ...overrides }), {
    ...context,
    ...changes,
  }).catch((reason: unknown) => reason);
  if (!(error instanceof GitError)) throw new Error(`expected a GitError, got ${JSON.stringify(error)}`);
  expect(readdirSync(shop.tempRoot)).toEqual([]);
  return error;
};

describe("a server that says no", () => {
  it("B04: is quoted in all its lines and asked once; the write goes through when the rule is gone", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(
      url,
      "pre-receive",
      `echo x >> ${shop.folder}/asked; echo "main is protected." >&2; echo "Open a pull request; fetch first." >&2; exit 1`,
    );

    const error = await failing(url);

    expect(error.kind).toBe("refused");
    expect(error.message).toContain("  main is protected.\n  Open a pull request; fetch first.\n");
    expect(error.message).toContain("pre-receive hook declined");
    expect(error.message).not.toMatch(/remote:|hint:/);
    expect(readdirSync(shop.folder)).toContain("asked");
    expect(shop.log(url)).toHaveLength(1);

    rmSync(join(url, "hooks/pre-receive"));
    expect(await writeFiles(writeRequest({ url }), context)).toMatchObject({
      kind: "committed",
      attempts: 1,
    });
  });

  it("is quoted with its first and last words where it says very much, and commands nothing in a CI log", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const token = `${"t".repeat(20)}${"k".repeat(20)}`;
    const line = `token ${token}`;
    shop.writeHook(
      url,
      "pre-receive",
      `echo "the first" >&2; yes "${line}" | head -n 800000 >&2; printf '%s\\n' "::add-path::/evil" "##vso[task.complete]" "the last" >&2; exit 1`,
    );
    const error = await failing(url, {}, { env: { ...shop.env, ARCFLUX_GIT_TOKEN: token } });
    expect(error.kind).toBe("refused");
    expect(error.message).toContain("  the first\n  token ***\n");
    expect(error.message).toMatch(/\n {2}\(\d+ more lines\)\n/);
    expect(error.message).toContain(
      "\n  \\u003a:add-path::/evil\n  \\u0023#vso[task.complete]\n  the last\n",
    );
    expect(error.message.length).toBeLessThan(3_000);
    expect(error.message).not.toMatch(/ttttt|kkkkk/);
  });

  it("B04: by a hook of the one branch, is a refusal too", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "update", `echo "$1 is frozen until Monday" >&2; exit 1`);
    const error = await failing(url);
    expect(error.kind).toBe("refused");
    expect(error.message).toContain("refs/heads/main is frozen until Monday");
  });
});

describe("a branch that does not exist", () => {
  it("B03: is an error that names those that do, and no other is taken", async () => {
    const url = await shop.repository({ "README.md": "read me\n" }, { branch: "master" });
    const error = await failing(url);
    expect(error.kind).toBe("missingBranch");
    expect(error.message).toContain("has no branch main. Branches there: master.");
    expect(shop.log(url, "master")).toHaveLength(1);
  });

  it("B03: is an error in an empty repository", async () => {
    const url = await shop.repository({});
    const error = await failing(url);
    expect(error.kind).toBe("noBranches");
    expect(error.message).toContain("the repository is empty: push a first commit to that branch");
    expect(shop.try(url, "rev-parse", "--verify", "-q", "main")).toBeUndefined();
  });
});

describe("a folder that cannot be read", () => {
  it.each(["main^{tree}", "main:clusters", "main:clusters/edge-1"])("stops the write: %s", async (broken) => {
    const url = await shop.repository({ "README.md": "read me\n", "clusters/edge-1/other.yaml": "x\n" });
    const before = shop.log(url);
    const tree = shop.git(url, "rev-parse", broken);
    // fast-import leaves a pack; unpacked, one object of it can be taken away.
    shop.loosen(url);
    rmSync(join(url, "objects", tree.slice(0, 2), tree.slice(2)));

    const error = await failing(url);

    expect(error.kind).toBe("unreadable");
    expect(error.message).toContain("Nothing was written.");
    expect(shop.git(url, "rev-parse", "main")).toBe(before[0]);
  });
});

describe("things that go wrong on this side", () => {
  it("a missing git is named", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const error = await failing(url, {}, { env: { PATH: shop.home } });
    expect(error.message).toMatch(/git was not found on PATH. Install git 2.31/);
  });

  it("a folder for temporary files that cannot be used is named", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const error = await failing(url, {}, { tempRoot: `${shop.folder}/none` });
    expect(error.message).toMatch(/No temporary folder could be made in .*none.*Set TMPDIR/);
  });

  it("a server that never answers is given up after the time allowed, with its processes", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "pre-receive", `echo $$ > ${shop.folder}/pid; exec sleep 300`);
    const error = await failing(url, {}, { timeouts: { push: 600 } });
    expect(error.kind).toBe("timeout");
    expect(shop.isRunning("pid")).toBe(false);
    expect(shop.log(url)).toHaveLength(1);
  });

  it("a write called off in the middle of a push ends its processes", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "pre-receive", `echo $$ > ${shop.folder}/pid; exec sleep 300`);
    const called = new AbortController();
    const write = failing(url, {}, { signal: called.signal });
    await shop.waitFor("pid");
    called.abort();
    expect((await write).kind).toBe("abandoned");
    expect(shop.isRunning("pid")).toBe(false);
  });

  it("every fault of a request is told at once, before git runs", async () => {
    const error = await failing(
      "/nowhere",
      {
        branch: "-x",
        directory: "../up",
        files: { ".git/config": "", a: "", "a/b": "" },
        message: "",
        author: { name: "", email: "a b" },
      },
      { env: { PATH: shop.home } },
    );
    expect(error.kind).toBe("invalid");
    expect(error.message.split("\n").map((line) => line.split(" ")[0])).toEqual([
      "branch",
      "directory",
      "files",
      "files",
      "message",
      "author",
      "author",
    ]);
  });
});
