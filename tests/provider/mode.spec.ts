import { describe, expect, it } from "vitest";
import { eachWithAResource, plugin, shop, url, urn, warnings } from "./aResource.ts";

eachWithAResource();

const inputs = (value: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files: { "web.yaml": `a: ${value}\n` },
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  ...more,
});
const modes = (): string[] =>
  shop.entries(url).flatMap((entry) => (entry.endsWith(".yaml") ? [entry.slice(0, 6)] : []));
const makeExecutable = (value: number): string =>
  shop.commit(url, { "edge-1/web.yaml": { mode: "100755", data: `a: ${value}\n` } });

describe("a file of ours that someone made executable", () => {
  it("shows on refresh, stops an update, and is put back by drift: restore in one commit", async () => {
    const { outs } = await plugin.create(urn, inputs(1));
    const by = makeExecutable(1);
    const seen = await plugin.read("id", urn, outs as never);
    expect(seen.props).toMatchObject({ seen: { "web.yaml": `${shop.blob("a: 1\n")}, executable` } });
    // As a change of lines, since that is what a preview shows.
    expect(seen.inputs).toMatchObject({ files: { "web.yaml": "(executable)\na: 1\n" } });
    expect((await plugin.diff("id", urn, seen.props as never, inputs(1))).changes).toBe(true);

    for (const value of [1, 2]) {
      const stopped = plugin.update("id", urn, seen.props as never, inputs(value));
      await expect(stopped).rejects.toThrow(/someone made it executable after this stack wrote it[^]*of Pat/);
    }
    expect(shop.log(url)[0]).toBe(by);

    const restored = await plugin.update("id", urn, seen.props as never, inputs(1, { drift: "restore" }));
    expect(modes()).toEqual(["100644"]);
    expect(shop.log(url)).toHaveLength(4);
    const after = await plugin.read("id", urn, restored.outs as never);
    expect(after.props).not.toHaveProperty("seen");
  });

  it("and back again is no drift any more", async () => {
    const { outs } = await plugin.create(urn, inputs(1));
    makeExecutable(1);
    const seen = await plugin.read("id", urn, outs as never);
    shop.commit(url, { "edge-1/web.yaml": "a: 1\n" });
    const back = await plugin.read("id", urn, seen.props as never);
    expect(back.props).not.toHaveProperty("seen");
  });
});

describe("a file that was executable when it was taken over", () => {
  it("stays so and is no drift, until the fleet changes it", async () => {
    makeExecutable(1);
    const { outs } = await plugin.create(urn, inputs(1));
    expect(modes()).toEqual(["100755"]);
    expect((await plugin.read("id", urn, outs as never)).props).not.toHaveProperty("seen");

    const files = { "web.yaml": "a: 1\n", "b.yaml": "b: 1\n" };
    const more = await plugin.update("id", urn, outs as never, inputs(1, { files }));
    expect(modes()).toEqual(["100644", "100755"]);
    expect((await plugin.read("id", urn, more.outs as never)).props).not.toHaveProperty("seen");

    const moved = await plugin.update("id", urn, more.outs as never, inputs(2));
    expect(modes()).toEqual(["100644"]);
    expect(moved.outs).not.toHaveProperty("executable");
  });

  it("stays when it moves to another folder, goes when it is removed, and is told apart from one that was made so later", async () => {
    makeExecutable(1);
    const { outs } = await plugin.create(urn, inputs(1));
    const moved = await plugin.update("id", urn, outs as never, inputs(1, { directory: "edge-2" }));
    // The old folder stays complete until it is released.
    expect(modes()).toEqual(["100755", "100644"]);

    shop.commit(url, { "edge-2/web.yaml": { mode: "100755", data: "a: 1\n" } });
    await plugin.delete("id", urn, moved.outs as never);
    expect(Object.keys(shop.contents(url, ""))).toEqual(["README.md", "edge-2/web.yaml"]);
    expect(warnings).toEqual([expect.stringMatching(/it is not as Arcflux left it: edge-2\/web.yaml/)]);
  });

  it("goes with the resource", async () => {
    makeExecutable(1);
    const { outs } = await plugin.create(urn, inputs(1));
    await plugin.delete("id", urn, outs as never);
    expect(Object.keys(shop.contents(url, ""))).toEqual(["README.md"]);
    expect(warnings).toEqual([]);
  });
});
