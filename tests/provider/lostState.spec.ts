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

const urn = "urn:pulumi:dev::edge::arcflux-git:index:GitFiles::edge-1";
/** A plugin process on a machine of that name: machines share nothing but the repository. */
const on = (machine: string): GitFilesPlugin => pluginOn(shop, { machine });
const inputs = (text: string): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files: { "web.yaml": `a: ${text}\n` },
  message: `Write ${text}`,
  author: { name: "Arcflux", email: "arcflux@example.com" },
});

describe("a run killed between its push and the save of its state, and then a fleet that changes (B09d)", () => {
  it("is followed by an update that goes on, on the same machine and on a fresh one", async () => {
    const { outs: state } = await on("one").create(urn, inputs("1"));
    for (const [text, machine] of [
      ["2", "one"],
      ["3", "one"],
      ["4", "two"],
    ] as const) {
      // The state stays that of the create: none of these runs lives to save another.
      await on(machine).update("id", urn, state as never, inputs(text));
      expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": `a: ${text}\n` });
    }
    expect(shop.log(url)).toHaveLength(5);
  });

  it("in a create: goes on where the machine remembers it, and elsewhere, where the commit says who made it", async () => {
    await on("one").create(urn, inputs("1"));
    await on("two").create(urn, inputs("2"));
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 2\n" });
    await on("one").create(urn, inputs("3"));
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 3\n" });
  });

  it("does not go on over what a person has changed since", async () => {
    await on("one").create(urn, inputs("1"));
    shop.commit(url, { "edge-1/web.yaml": "a: 7\n" });
    await expect(on("two").create(urn, inputs("2"))).rejects.toThrow("a: 7 -> 2");
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 7\n" });
  });
});

describe("a delete", () => {
  it("leaves what a check of another resource has claimed", async () => {
    const plugin = on("one");
    const { outs: state } = await plugin.create(urn, inputs("1"));
    await plugin.check(`${urn}-renamed`, {}, inputs("1"));
    await plugin.delete("id", urn, state as never);
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 1\n" });
    await on("one").delete("id", urn, state as never);
    expect(shop.contents(url, "")).toEqual({ "README.md": "read me\n" });
  });
});
