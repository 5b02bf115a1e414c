import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { beforeOf, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

/* What a check judged is what a write deletes: on the tip that it pushes to, and nothing else. */

const folder = "clusters/edge-1/flux";
const both = { "pos.yaml": "kind: Kustomization\n", "web.yaml": "kind: Kustomization\n" };
const web = { "web.yaml": both["web.yaml"] };

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
});
afterEach(() => shop.remove());

it("deletes what was judged; where the tip holds another blob by now, nothing is written and it says to run again", async () => {
  const context = { env: shop.env, tempRoot: shop.tempRoot };
  const first = await writeFiles(writeRequest({ url, files: both }), context);
  const judged = { [`${folder}/pos.yaml`]: first.blobs["pos.yaml"] ?? "" };
  const without = (deletions: Readonly<Record<string, string>>) =>
    writeFiles(writeRequest({ url, files: web, before: beforeOf(first), deletions }), context);

  const tip = shop.git(url, "rev-parse", "main");
  for (const stale of [{}, { [`${folder}/pos.yaml`]: "0".repeat(40) }]) {
    await expect(without(stale)).rejects.toThrow("The repository moved since the preview; run again.");
    expect(shop.git(url, "rev-parse", "main")).toBe(tip);
  }
  expect(await without(judged)).toMatchObject({ kind: "committed" });
  expect(shop.git(url, "ls-tree", "--name-only", "main", `${folder}/`)).not.toContain("pos.yaml");
});
