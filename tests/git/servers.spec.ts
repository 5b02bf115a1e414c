import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => {
  expect(readdirSync(shop.tempRoot)).toEqual([]);
  shop.remove();
});

/** Types of the objects in the one scratch repository that exists right now, and the bytes of its packs. */
const scratchContents = (): { types: Record<string, number>; bytes: number } => {
  const [name = ""] = readdirSync(shop.tempRoot);
  const scratch = join(shop.tempRoot, name);
  const types: Record<string, number> = {};
  const listing = shop.git(scratch, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)");
  for (const type of listing.split("\n")) types[type] = (types[type] ?? 0) + 1;
  // What comes without a filter may be small enough to be unpacked.
  const packs = readdirSync(join(scratch, "objects"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".pack"),
  );
  return {
    types,
    bytes: packs.reduce((sum, file) => sum + statSync(join(scratch, "objects", file)).size, 0),
  };
};

const abilities: readonly [string, Readonly<Record<string, string>>][] = [
  ["as git hosts are", {}],
  ["filters trees at depth 0 only", { "uploadpackfilter.tree.maxDepth": "0" }],
  ["filters no trees", { "uploadpackfilter.tree.allow": "false" }],
  ["refuses all filters", { "uploadpackfilter.allow": "false" }],
  ["filters nothing", { "uploadpack.allowFilter": "false" }],
];

const files = {
  "README.md": "read me\n",
  "clusters/edge-1/flux/other.yaml": "other\n",
  "clusters/edge-1/sets/a.yaml": "a\n",
  "clusters/edge-2/flux/web.yaml": "web\n",
};

it.each(abilities)("who last wrote a file is told by a server that %s", async (_, config) => {
  const url = await shop.repository(files);
  for (const [key, value] of Object.entries(config)) shop.git(url, "config", key, value);
  const path = "clusters/edge-1/flux/other.yaml";
  const commit = shop.commit(url, { [path]: "another\n" }, { message: "INC-1" });
  shop.commit(url, { "clusters/edge-2/flux/web.yaml": "more\n" });
  const context = { env: shop.env, tempRoot: shop.tempRoot };
  await expect(
    writeFiles(writeRequest({ url, files: { "other.yaml": "ours\n" } }), context),
  ).rejects.toMatchObject({
    conflicts: [{ path, by: { commit, subject: "INC-1" } }],
  });
});

it("folders of which one is found in another as well are fetched, and no others with them", async () => {
  // git leaves out a folder that is asked for where it has come across it in one that is asked for too. It takes them in
  // the order of their ids, and with this content a comes before b.
  const url = await shop.repository({
    "a/x/same.yaml": "same: 2\n",
    "b/same.yaml": "same: 2\n",
    "c/y/other.yaml": "other\n",
  });
  const seen: unknown[] = [];
  const context = {
    env: shop.env,
    tempRoot: shop.tempRoot,
    alive: () => seen.push(scratchContents().types) > 0,
  };
  const request = writeRequest({
    url,
    directory: "",
    files: { "a/new.yaml": "new\n", "b/new.yaml": "new\n" },
  });
  expect(await writeFiles(request, context)).toMatchObject({ kind: "committed" });
  // The tip, with the folders /, a and b; and a commit with these three anew, one file and the inventory.
  expect(seen).toEqual([{ commit: 2, tree: 6, blob: 2 }]);
});

describe("servers of less ability", () => {
  const fewest = { commit: 2, tree: 8, blob: 2 };
  it.each([
    // What is fetched: the tip and the folders /, clusters, edge-1 and flux. What is made: a commit, those 4, a file and the inventory.
    ["as git hosts are", {}, {}, fewest],
    ["filters trees at depth 0 only", { "uploadpackfilter.tree.maxDepth": "0" }, {}, fewest],
    // All folders: also sets, edge-2 and its flux, less one that is the same. The blobs stay away.
    ["filters no trees", { "uploadpackfilter.tree.allow": "false" }, {}, { commit: 2, tree: 11, blob: 2 }],
    ["refuses all filters", { "uploadpackfilter.allow": "false" }, {}, { commit: 2, tree: 11, blob: 6 }],
    ["filters nothing", { "uploadpack.allowFilter": "false" }, {}, { commit: 2, tree: 11, blob: 6 }],
    [
      "speaks the old protocol and gives out tips only",
      { "uploadpack.allowAnySHA1InWant": "false" },
      { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "protocol.version", GIT_CONFIG_VALUE_0: "0" },
      { commit: 2, tree: 11, blob: 2 },
    ],
  ])("one that %s", async (_, config, env, expected) => {
    const url = await shop.repository(files);
    for (const [key, value] of Object.entries(config)) shop.git(url, "config", key, value);
    const seen: unknown[] = [];
    const context = {
      env: { ...shop.env, ...env },
      tempRoot: shop.tempRoot,
      alive: () => seen.push(scratchContents().types) > 0,
    };

    const result = await writeFiles(writeRequest({ url }), context);
    // Known by now, so that the second time nothing is asked in vain.
    await writeFiles(writeRequest({ url, directory: "clusters/edge-3/flux" }), context);

    expect(result).toMatchObject({ kind: "committed", attempts: 1 });
    expect(seen[0]).toEqual(expected);
    expect(Object.keys(shop.contents(url, ""))).toEqual([
      "README.md",
      "clusters/edge-1/flux/other.yaml",
      "clusters/edge-1/flux/web.yaml",
      "clusters/edge-1/sets/a.yaml",
      "clusters/edge-2/flux/web.yaml",
      "clusters/edge-3/flux/web.yaml",
    ]);
    expect(shop.try(url, "fsck", "--strict", "--full")).toBeDefined();
  });

  it("one whose objects are named by SHA-256", async () => {
    const url = join(shop.folder, "sha256.git");
    shop.git(url, "init", "-q", "--bare", "--object-format=sha256", "--initial-branch=main", url);
    shop.git(url, "config", "uploadpack.allowFilter", "true");
    shop.commit(url, files);
    const result = await writeFiles(writeRequest({ url }), { env: shop.env, tempRoot: shop.tempRoot });
    expect(result.commit).toHaveLength(64);
    expect(shop.git(url, "rev-parse", "main:clusters/edge-1/flux/web.yaml")).toBe(result.blobs["web.yaml"]);
  });
});

describe("a big repository", () => {
  it("gives out at most 5 % of its bytes for one changed file of 3,000", async () => {
    const many: Record<string, string> = {};
    for (let cluster = 0; cluster < 150; cluster++) {
      for (let set = 0; set < 20; set++) {
        // Like real sets: much in common, and something of their own that does not compress.
        const own = Buffer.from(`${cluster}/${set}`.repeat(30)).toString("base64");
        many[`clusters/edge-${cluster}/flux/set-${set}.yaml`] =
          `kind: Kustomization\nspec:\n  interval: 10m\n# ${own}\n`;
      }
    }
    const url = await shop.repository(many);
    shop.git(url, "repack", "-adq");
    const [pack = ""] = readdirSync(join(url, "objects/pack")).filter((file) => file.endsWith(".pack"));
    const whole = statSync(join(url, "objects/pack", pack)).size;
    let fetched = 0;
    const path = "clusters/edge-7/flux/set-3.yaml";

    await writeFiles(
      writeRequest({
        url,
        directory: "clusters/edge-7/flux",
        files: { "set-3.yaml": "changed\n" },
        owned: { "set-3.yaml": shop.blob(many[path] ?? "") },
      }),
      { env: shop.env, tempRoot: shop.tempRoot, alive: () => (fetched = scratchContents().bytes) > 0 },
    );

    expect(fetched / whole).toBeLessThanOrEqual(0.05);
    expect(shop.git(url, "diff", "--name-status", "main~1", "main")).toBe(
      `A\tclusters/edge-7/flux/.arcflux-inventory\nM\t${path}`,
    );
  });
});
