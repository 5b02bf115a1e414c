import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WriteRequest, WriteResult } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { beforeOf, type Overrides, writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
});
afterEach(() => shop.remove());

const path = "edge-1/web.yaml";
const request = (content: string, overrides: Overrides = {}): WriteRequest =>
  writeRequest({
    url,
    directory: "edge-1",
    files: { "web.yaml": `${content}\n` },
    message: `Write ${content}`,
    ...overrides,
  });

interface Ended {
  readonly killed: boolean;
  readonly result?: WriteResult;
}

/** Writes in a process of its own, with git from `bin` where there is one. */
async function write(one: WriteRequest, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const writer = join(import.meta.dirname, "../support/gitWriter.ts");
  const bin = join(shop.folder, "bin");
  const all = { ...shop.env, ...env, PATH: `${bin}:${shop.env["PATH"] ?? ""}` };
  const child = spawn(process.execPath, [writer, JSON.stringify(one), shop.tempRoot], { env: all });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("exit", (...end) => resolve(end)),
  );
  if (signal === "SIGKILL") return { killed: true };
  if (code !== 0) throw new Error(stderr);
  return { killed: false, result: JSON.parse(stdout) as WriteResult };
}

/** A git that kills the writer before or after the nth command, as `kill -9` would at that moment. */
function installKillingGit(): void {
  const real = spawnSync("sh", ["-c", "command -v git"]).stdout.toString().trim();
  mkdirSync(join(shop.folder, "bin"));
  writeFileSync(
    join(shop.folder, "bin", "git"),
    [
      `#!/bin/sh`,
      `test -n "$KILL_AT" || exec ${real} "$@"`,
      `echo x >> ${shop.folder}/steps; echo $PPID > ${shop.folder}/writer`,
      `number=$(wc -l < ${shop.folder}/steps)`,
      `if [ $number = $KILL_AT ] && [ $KILL_WHEN = before ]; then kill -9 $PPID; exit 1; fi`,
      `${real} "$@"; code=$?`,
      `if [ $number = $KILL_AT ]; then kill -9 $PPID; fi`,
      `exit $code`,
      ``,
    ].join("\n"),
  );
  chmodSync(join(shop.folder, "bin", "git"), 0o755);
}

/** The branch as it must be: no commit twice, the content as asked, and nothing left over. */
function assertRight(content: string): void {
  const subjects = shop.git(url, "log", "--format=%s", "main").split("\n");
  expect(new Set(subjects).size).toBe(subjects.length);
  expect(shop.contents(url, "edge-1")).toEqual({ [path]: `${content}\n` });
  expect(readdirSync(shop.tempRoot)).toEqual([]);
}

describe("a writer killed with -9", () => {
  it.each(["before", "after"])(
    "%s any of its git commands is followed by one that ends in the right state, without a second commit",
    async (when) => {
      installKillingGit();
      const { result: first } = await write(request("one"));
      let [last, kills] = ["one", 0];
      for (let step = 1; ; step += 1) {
        rmSync(join(shop.folder, "steps"), { force: true });
        const content = `step ${step}`;
        // The state is that of the last run that could save it.
        const state = { owned: { "web.yaml": shop.blob(`${last}\n`) } };
        const { killed } = await write(request(content, state), { KILL_AT: String(step), KILL_WHEN: when });
        if (!killed) break;
        kills += 1;
        expect((await write(request(content, state))).killed).toBe(false);
        assertRight(content);
        last = content;
      }
      expect(first?.kind).toBe("committed");
      // version, fetch, read, fetch, commit, push: the walk went through all of them.
      expect(kills).toBeGreaterThanOrEqual(6);
    },
  );

  it.each(["before", "after"])(
    "%s its push, and a fleet that changes then, end in the right state too",
    async (when) => {
      installKillingGit();
      await write(request("one"));
      rmSync(join(shop.folder, "steps"), { force: true });
      const state = { owned: { "web.yaml": shop.blob("one\n") } };
      let last = "";
      for (let step = 1; ; step += 1) {
        rmSync(join(shop.folder, "steps"), { force: true });
        last = `step ${step}`;
        const { killed } = await write(request(last, state), { KILL_AT: String(step), KILL_WHEN: when });
        if (!killed) break;
      }
      // None of the killed ones could save its state, and still the last is no conflict.
      assertRight(last);
      expect((await write(request("end", state))).result?.kind).toBe("committed");
      assertRight("end");
    },
  );

  it.each(["pre-receive", "post-receive"])("while the server is in its %s hook, too", async (hook) => {
    installKillingGit();
    shop.writeHook(
      url,
      hook,
      `test -e ${shop.folder}/writer && kill -9 $(cat ${shop.folder}/writer); sleep 0.3`,
    );
    expect((await write(request("one"), { KILL_AT: "99" })).killed).toBe(true);
    rmSync(join(shop.folder, "writer"));
    expect((await write(request("one"))).killed).toBe(false);
    assertRight("one");
    expect(shop.log(url)).toHaveLength(2);
    expect((await write(request("one"))).result?.kind).toBe("unchanged");
  });
});

it("a file of a killed run that the fleet has dropped since goes away with the next one", async () => {
  installKillingGit();
  const { result: first } = await write(request("one"));
  if (first === undefined) throw new Error("the first write failed");
  const state = { before: beforeOf(first) };
  const more = { "web.yaml": "two\n", "extra.yaml": "extra\n" };
  const left = (): boolean => shop.contents(url, "edge-1")["edge-1/extra.yaml"] !== undefined;
  for (let step = 1; !left(); step += 1) {
    rmSync(join(shop.folder, "steps"), { force: true });
    const kill = { KILL_AT: String(step), KILL_WHEN: "after" };
    expect((await write(request("two", { ...state, files: more }), kill)).killed).toBe(true);
  }
  expect((await write(request("three", state))).killed).toBe(false);
  assertRight("three");
});

describe("what a killed writer leaves in the cache", () => {
  it("holds nobody up", async () => {
    await write(request("one"));
    const folders = readdirSync(join(shop.cache, "git"));
    expect(folders).toHaveLength(1);
    const owned = { "web.yaml": shop.blob("one\n") };
    expect((await write(request("two", { owned }))).result?.kind).toBe("committed");
    expect(existsSync(join(shop.cache, "git", folders[0] ?? "", "lock", "held"))).toBe(false);
  });
});
