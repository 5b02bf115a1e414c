import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { Delivery, GitContext, WriteRequest, WriteResult } from "../../git/index.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let shop: GitWorkshop;
let url: string;
let context: GitContext;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
  context = { env: shop.env, tempRoot: shop.tempRoot, cacheRoot: shop.cache };
});
afterEach(() => shop.remove());

const provenance = { project: "edge", stack: "prod", version: "1", update: "0a1b2c" };
const stores = Array.from({ length: 40 }, (_, index) => `store-${String(index + 1).padStart(3, "0")}`);

const writeAll = (
  filesOf: (store: string) => WriteRequest["files"],
  { message = "{summary}", commitPer = "push" }: { message?: string } & Pick<Delivery, "commitPer"> = {},
) =>
  Promise.allSettled(
    stores.map((cluster) => {
      const owner = `edge/prod/${cluster}`;
      const place = { url, owner, directory: `stores/${cluster}`, files: filesOf(cluster) };
      const delivery = { cluster, commitPer };
      return writeFiles(writeRequest({ ...place, message, provenance, delivery }), context);
    }),
  );

const commitsOf = (results: readonly PromiseSettledResult<WriteResult>[]): string[] => [
  ...new Set(results.flatMap((one) => (one.status === "fulfilled" ? [one.value.commit] : []))),
];
const show = (format: string): string => shop.git(url, "log", "-1", `--format=${format}`, "main");

it("what goes out together is one commit, whose subject says what changed where; who is refused fails alone", async () => {
  shop.commit(url, { "stores/store-007/flux/monitoring.yaml": "theirs: 1\n" });
  const both = { "flux/monitoring.yaml": "a: 1\n", "flux/pos.yaml": "a: 1\n" };
  const results = await writeAll((store) =>
    store === "store-002" ? both : { "flux/monitoring.yaml": "a: 1\n" },
  );
  const refused = results.flatMap((one, index) => (one.status === "rejected" ? stores[index] : []));
  expect(refused).toEqual(["store-007"]);
  expect(commitsOf(results)).toEqual([shop.log(url)[0]]);
  expect(shop.log(url)).toHaveLength(3);
  expect(show("%s")).toBe(
    "38 stores: + flux/monitoring.yaml; store-002: + flux/monitoring.yaml, + flux/pos.yaml",
  );
  expect(show("%b").split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^- store-001, store-003, .*store-022 and 18 more: \+ flux\/monitoring\.yaml$/),
    "- store-002: + flux/monitoring.yaml, + flux/pos.yaml",
  ]);
  const trailer = (key: string) => show(`%(trailers:key=Arcflux-${key},valueonly)`);
  expect(["Stack", "Update", "Clusters", "Cluster"].map(trailer)).toEqual(["prod", "0a1b2c", "39", ""]);
});

it("a template of one's own says how many clusters; by cluster, each commit names the update that it is of", async () => {
  const message = "CHG-1: {cluster} ({count} files)";
  await writeAll(() => ({ "flux/a.yaml": "a: 1\n" }), { message });
  expect(show("%s")).toBe("CHG-1: 40 clusters (40 files)");
  const apart = await writeAll(() => ({ "flux/a.yaml": "a: 1\n", "flux/b.yaml": "b: 1\n" }), {
    message: "{summary}",
    commitPer: "cluster",
  });
  expect(commitsOf(apart)).toHaveLength(40);
  expect(show("%s %(trailers:key=Arcflux-Update,valueonly)")).toBe("store-040: + flux/b.yaml 0a1b2c");
});

it("a server that refuses one of them gets the others in as few commits as that takes", async () => {
  shop.writeHook(
    url,
    "update",
    `git diff --name-only $2 $3 | grep -q store-009 && { echo "store-009 is frozen" >&2; exit 1; }; exit 0`,
  );
  const results = await writeAll(() => ({ "flux/a.yaml": "a: 1\n" }));
  const refused = results.flatMap((one, index) => (one.status === "rejected" ? stores[index] : []));
  expect(refused).toEqual(["store-009"]);
  expect(commitsOf(results).length).toBeLessThanOrEqual(7);
});
