import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sweepCache } from "../../git/plumbing/cacheSweep.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

it("what a branch left in the cache goes when nobody has written to it for 90 days", async () => {
  const days = (count: number): Date => new Date(Date.now() - count * 24 * 3_600_000);
  for (const [name, age] of [
    ["old", 91],
    ["young", 89],
  ] as const) {
    mkdirSync(join(shop.cache, name, "lock"), { recursive: true });
    utimesSync(join(shop.cache, name, "lock"), days(age), days(age));
  }
  mkdirSync(join(shop.cache, "something else"));
  await sweepCache(shop.cache);
  expect(readdirSync(shop.cache).sort()).toEqual(["something else", "young"]);
});
