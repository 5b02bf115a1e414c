import { expect, it } from "vitest";
import { eachWithAResource, plugin, shop, url, urn, warnings } from "./aResource.ts";

eachWithAResource();

const inputs = (value: number): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files: { "set-01.yaml": `a: ${value}\n`, "set-02.yaml": "b: 1\n" },
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
});

it.each([
  ["deleted", () => shop.commit(url, { "edge-1/set-01.yaml": null, "edge-1/set-02.yaml": null })],
  ["gone since the branch was set back", () => shop.git(url, "update-ref", "refs/heads/main", "main~1")],
])("files that are all %s are written again, and the update says so", async (_how, takeAway) => {
  const { outs } = await plugin.create(urn, inputs(1));
  takeAway();
  await plugin.update("id", urn, outs as never, inputs(2));
  expect(shop.contents(url, "edge-1")).toEqual({
    "edge-1/set-01.yaml": "a: 2\n",
    "edge-1/set-02.yaml": "b: 1\n",
  });
  expect(warnings).toEqual([expect.stringMatching(/^none of its files was left in edge-1 on branch main: /)]);
});

it("the folder they are gone from is named, also where the resource names another one for the same files", async () => {
  const { outs } = await plugin.create(urn, inputs(1));
  shop.commit(url, { "edge-1/set-01.yaml": null, "edge-1/set-02.yaml": null });
  const files = { "edge-1/set-01.yaml": "a: 1\n", "edge-1/set-02.yaml": "b: 1\n" };
  await plugin.update("id", urn, outs as never, { ...inputs(1), directory: "", followed: "edge-1", files });
  expect(warnings).toEqual([expect.stringMatching(/^none of its files was left in edge-1 on branch main: /)]);
  expect(Object.keys(shop.contents(url, "edge-1"))).toEqual(Object.keys(files));
});

it("nothing is said of files that are there", async () => {
  const { outs } = await plugin.create(urn, inputs(1));
  await plugin.update("id", urn, outs as never, inputs(2));
  expect(warnings).toEqual([]);
});
