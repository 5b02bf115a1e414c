import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WriteResult } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

const writers = 12;
const clusters = Array.from({ length: writers }, (_, number) => `edge-${number}`);

/** All clusters at once, a process each; with what each wrote last as its own. */
async function round(url: string, number: number, env: NodeJS.ProcessEnv): Promise<WriteResult[]> {
  const writer = join(import.meta.dirname, "../support/gitWriter.ts");
  const owned = number === 0 ? {} : { "web.yaml": shop.blob(`round: ${number - 1}\n`) };
  return Promise.all(
    clusters.map(async (cluster) => {
      const request = writeRequest({
        url,
        directory: `clusters/${cluster}`,
        files: { "web.yaml": `round: ${number}\n` },
        owned,
        message: `Round ${number}, ${cluster}`,
      });
      const args = ["--disable-warning=ExperimentalWarning", writer, JSON.stringify(request), shop.tempRoot];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      return JSON.parse(stdout) as WriteResult;
    }),
  );
}

describe("twelve processes and a person on one branch", () => {
  it.each([
    ["with the lock", 1.5],
    ["without a cache to put the lock in", Infinity],
  ])("%s: every commit lands once, in a linear history", async (what, mostPushes) => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const env = what === "with the lock" ? shop.env : { ...shop.env, ARCFLUX_CACHE_DIR: "/dev/null/none" };
    const attempts: number[] = [];
    for (const number of [0, 1]) {
      const all = round(url, number, env);
      for (let note = 0; note < 3; note += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const message = `Round ${number}, note ${note}`;
        const push = (): string => shop.commit(url, { [`notes/${number}-${note}.md`]: "n\n" }, { message });
        await vi.waitFor(push, { timeout: 10_000, interval: 5 });
      }
      attempts.push(...(await all).map((result) => result.attempts));
    }
    const expected = [0, 1].flatMap((number) => [
      ...clusters.map((cluster) => `Round ${number}, ${cluster}`),
      ...[0, 1, 2].map((note) => `Round ${number}, note ${note}`),
    ]);
    expect(shop.git(url, "log", "--format=%s", "main").split("\n").sort()).toEqual(
      ["By hand", ...expected].sort(),
    );
    expect(shop.git(url, "rev-list", "--merges", "main")).toBe("");
    for (const cluster of clusters) {
      expect(shop.contents(url, `clusters/${cluster}`)).toEqual({
        [`clusters/${cluster}/web.yaml`]: "round: 1\n",
      });
    }
    expect(readdirSync(shop.tempRoot)).toEqual([]);
    // Only the person is in the way of those who wait for each other.
    const tried = attempts.reduce((sum, count) => sum + count, 0);
    expect(tried / attempts.length).toBeLessThanOrEqual(mostPushes);
  });
});
