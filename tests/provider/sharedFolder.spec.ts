import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GitFilesPlugin } from "../../provider/plugin.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
});
afterEach(() => shop.remove());

const urn = (name: string): string => `urn:pulumi:dev::edge::arcflux-git:index:GitFiles::${name}`;
const on = (machine: string): GitFilesPlugin =>
  new GitFilesPlugin(
    "1.0.0",
    { env: shop.env, tempRoot: shop.tempRoot, cacheRoot: `${shop.folder}/${machine}` },
    () => Promise.resolve(),
  );
const inputs = (files: Record<string, string>): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files,
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
});

describe("two resources of one stack in one folder", () => {
  it("leave each other's files, in one run and after one that was killed", async () => {
    const run = async (machine: string): Promise<void> => {
      const plugin = on(machine);
      // As the engine does it: each is checked when the program makes it, and may be written before the next is.
      for (const name of ["a", "b"]) {
        const wanted = inputs({ [`${name}.yaml`]: "x: 1\n" });
        await plugin.check(urn(name), {}, wanted);
        await plugin.create(urn(name), wanted);
        expect(Object.keys(shop.contents(url, "edge-1"))).toContain("edge-1/a.yaml");
      }
    };
    for (const machine of ["one", "one", "two"]) {
      await run(machine);
      expect(Object.keys(shop.contents(url, "edge-1"))).toEqual(["edge-1/a.yaml", "edge-1/b.yaml"]);
    }
    expect(shop.log(url)).toHaveLength(3);
  });
});
