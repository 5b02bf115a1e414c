import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GitFilesPlugin } from "../../provider/plugin.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
});
afterEach(() => shop.remove());

const urn = (name: string): string => `urn:pulumi:dev::edge::arcflux-git:index:GitFiles::${name}`;
const on = (machine: string): GitFilesPlugin => pluginOn(shop, { machine });
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

  it("do not both get the same file: the second is refused, and the first keeps it", async () => {
    const plugin = on("one");
    const [first, second] = ["x: 1\n", "x: 2\n"].map((text) => inputs({ "a.yaml": text }));
    await plugin.check(urn("a"), {}, first ?? {});
    await plugin.create(urn("a"), first ?? {});
    await plugin.check(urn("b"), {}, second ?? {});
    await expect(plugin.create(urn("b"), second ?? {})).rejects.toThrow(/edge-1\/a\.yaml.*GitFiles::a/);
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/a.yaml": "x: 1\n" });

    // The same path of another repository is another file.
    const elsewhere = { ...second, repository: await shop.repository({ n: "n\n" }, { name: "mirror" }) };
    await plugin.check(urn("b"), {}, elsewhere);
    await plugin.create(urn("b"), elsewhere);
  });

  it("may hand a file over: the one that wants it now gets it", async () => {
    const before = on("one");
    const { outs } = await before.create(urn("a"), inputs({ "a.yaml": "x: 1\n", "m.yaml": "m: 1\n" }));
    const plugin = on("one");
    const wanted = { a: inputs({ "a.yaml": "x: 2\n" }), b: inputs({ "m.yaml": "m: 2\n" }) };
    await plugin.check(urn("a"), {}, wanted.a);
    await plugin.check(urn("b"), {}, wanted.b);
    await plugin.create(urn("b"), wanted.b);
    await plugin.update("id", urn("a"), outs as never, wanted.a);
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/a.yaml": "x: 2\n", "edge-1/m.yaml": "m: 2\n" });
  });
});

describe("files that stayed by onDelete: keep", () => {
  it("still stay when the resource comes back with fewer of them", async () => {
    const keep = { ...inputs({ "a.yaml": "x: 1\n", "b.yaml": "y: 1\n" }), onDelete: "keep" };
    const { outs } = await on("one").create(urn("a"), keep);
    await on("one").delete("id", urn("a"), outs as never);
    await on("one").create(urn("a"), inputs({ "a.yaml": "x: 1\n" }));
    expect(Object.keys(shop.contents(url, "edge-1"))).toEqual(["edge-1/a.yaml", "edge-1/b.yaml"]);
  });
});
