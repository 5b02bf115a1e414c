import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import type { Fixture } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

/** Names of fixtures are bytes, one a character. */
const bytes = (text: string): string => Buffer.from(text).toString("latin1");

describe("names that differ only in case", () => {
  it.each<[string, Fixture, string]>([
    ["a file", { "clusters/edge-1/flux/Web.yaml": "x\n" }, "clusters/edge-1/flux/Web.yaml"],
    ["a folder on the way", { "Clusters/other/x.yaml": "x\n" }, "Clusters"],
    [
      "a folder where the file is to go",
      { "clusters/edge-1/flux/WEB.yaml/x": "x\n" },
      "clusters/edge-1/flux/WEB.yaml",
    ],
    ["a symlink", { "clusters/Edge-1": { mode: "120000", data: "x" } }, "clusters/Edge-1"],
  ])("are refused: %s", async (_, fixture, name) => {
    const url = await shop.repository(fixture);
    const context = { env: shop.env, tempRoot: shop.tempRoot };
    await expect(writeFiles(writeRequest({ url }), context)).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining(`differs only in case from ${name},`) as string,
    });
    expect(shop.log(url)).toHaveLength(1);
  });

  it("are refused where only the way an accent is written differs", async () => {
    const url = await shop.repository({ [bytes("clusters/mu\u0308nchen/x.yaml")]: "x\n" });
    const request = writeRequest({ url, directory: "clusters/M\u00fcnchen" });
    await expect(writeFiles(request, { env: shop.env, tempRoot: shop.tempRoot })).rejects.toMatchObject({
      kind: "conflict",
    });
  });

  it("are refused between two writes that share a push, and the first lands", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const context = { env: shop.env, tempRoot: shop.tempRoot };
    const [first, second] = await Promise.allSettled(
      ["clusters/Edge/flux", "clusters/edge/flux"].map((directory, index) =>
        writeFiles(writeRequest({ url, directory, files: { [`${index}.yaml`]: "x\n" } }), context),
      ),
    );
    expect(first?.status).toBe("fulfilled");
    expect(second).toMatchObject({
      status: "rejected",
      reason: {
        kind: "conflict",
        message: expect.stringContaining("differs only in case from clusters/Edge,") as string,
      },
    });
    expect(Object.keys(shop.contents(url, "clusters"))).toEqual(["clusters/Edge/flux/0.yaml"]);
  });

  it("are refused within one write", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    const request = writeRequest({ url, files: { "a/x.yaml": "x\n", "A/y.yaml": "y\n" } });
    await expect(writeFiles(request, { env: shop.env, tempRoot: shop.tempRoot })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("has 'a' and 'A/y.yaml', which differ only in case") as string,
    });
  });

  it("are no matter elsewhere, or where the other one leaves in the same commit", async () => {
    const url = await shop.repository({
      "clusters/edge-1/flux/Web.yaml": "ours\n",
      "notes/A.md": "x\n",
      "notes/a.md": "x\n",
    });
    const owned = { "Web.yaml": shop.blob("ours\n") };
    const result = await writeFiles(writeRequest({ url, owned }), { env: shop.env, tempRoot: shop.tempRoot });
    expect(result.kind).toBe("committed");
    expect(Object.keys(shop.contents(url, "clusters"))).toEqual(["clusters/edge-1/flux/web.yaml"]);
  });
});
