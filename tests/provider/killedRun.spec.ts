import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GitFilesPlugin } from "../../provider/plugin.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { pluginOn } from "./pluginOn.ts";

let shop: GitWorkshop;
let url: string;
let warnings: string[];
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n", "edge-1/extra.yaml": "by: hand\n" });
  warnings = [];
});
afterEach(() => shop.remove());

const urn = "urn:pulumi:dev::edge::arcflux-git:index:GitFiles::edge-1";
/** A plugin process on a machine of that name: machines share nothing but the repository. */
const on = (machine: string): GitFilesPlugin => pluginOn(shop, { machine, warnings });
const inputs = (
  files: Record<string, string>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  repository: url,
  branch: "main",
  directory: "edge-1",
  files,
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  ...more,
});
const web = (value: number): Record<string, string> => ({ "web.yaml": `a: ${value}\n` });
const there = (): Record<string, string> => shop.contents(url, "");
const byHand = { "README.md": "read me\n", "edge-1/extra.yaml": "by: hand\n" };

describe.each(["one", "two"])(
  "what a killed update added and the fleet dropped since, seen from machine %s",
  (next) => {
    const killed = async (): Promise<never> => {
      const { outs } = await on("one").create(urn, inputs(web(1)));
      await on("one").update("id", urn, outs as never, inputs({ ...web(2), "new.yaml": "n: 1\n" }));
      // Others write meanwhile, so that the tip is not what that run left.
      for (let note = 0; note < 20; note += 1) shop.commit(url, { "note.md": `${note}\n` });
      return outs as never;
    };

    it("goes with the next update, and files of people stay", async () => {
      const state = await killed();
      await on(next).update("id", urn, state, inputs(web(3)));
      expect(there()).toEqual({ ...byHand, "note.md": "19\n", "edge-1/web.yaml": "a: 3\n" });
      expect(warnings).toEqual([]);
    });

    it("goes with a destroy", async () => {
      const state = await killed();
      await on(next).delete("id", urn, state);
      expect(there()).toEqual({ ...byHand, "note.md": "19\n" });
      expect(warnings).toEqual([]);
    });

    it("stays where a person has changed it", async () => {
      const state = await killed();
      shop.commit(url, { "edge-1/new.yaml": "n: 7\n" });
      await on(next).update("id", urn, state, inputs(web(3)));
      expect(there()["edge-1/new.yaml"]).toBe("n: 7\n");
    });
  },
);

describe("a revert", () => {
  it("of what one machine wrote is not undone by another that wrote before it", async () => {
    const { outs: first } = await on("one").create(urn, inputs(web(1)));
    const { outs: second } = await on("two").update("id", urn, first as never, inputs(web(2)));
    shop.commit(url, { "edge-1/web.yaml": "a: 1\n" }, { message: 'Revert "Write"' });
    for (const value of [2, 3]) {
      const again = on("one").update("id", urn, second as never, inputs(web(value)));
      await expect(again).rejects.toThrow(`a: 1 -> ${value}`);
    }
    expect(there()["edge-1/web.yaml"]).toBe("a: 1\n");
  });

  it("to what a killed run wrote is not undone by the very machine that noted it", async () => {
    const { outs } = await on("one").create(urn, inputs(web(1)));
    for (const value of [2, 3]) await on("one").update("id", urn, outs as never, inputs(web(value)));
    shop.commit(url, { "edge-1/web.yaml": "a: 2\n" }, { message: "Back" });
    for (const machine of ["one", "two"]) {
      const again = on(machine).update("id", urn, outs as never, inputs(web(3)));
      await expect(again).rejects.toThrow("a: 2 -> 3");
    }
    expect(there()["edge-1/web.yaml"]).toBe("a: 2\n");
  });

  it("to what was there before a killed run is not undone by the machine that noted that run", async () => {
    const { outs } = await on("one").create(urn, inputs(web(1)));
    await on("one").update("id", urn, outs as never, inputs(web(2)));
    shop.commit(url, { "edge-1/web.yaml": "a: 1\n" }, { message: "Back" });
    for (const value of [2, 3]) {
      const again = on("one").update("id", urn, outs as never, inputs(web(value)));
      await expect(again).rejects.toThrow(/someone changed it after this stack wrote it[^]*of Pat, .*: Back/);
    }
    expect(there()["edge-1/web.yaml"]).toBe("a: 1\n");
    await on("one").update("id", urn, outs as never, inputs(web(3), { drift: "restore" }));
    expect(there()["edge-1/web.yaml"]).toBe("a: 3\n");
  });

  it("is not seen in a push that the server refused, nor in a file that was a person's before", async () => {
    shop.commit(url, { "edge-1/web.yaml": "a: 1\n" });
    const { outs } = await on("one").create(urn, inputs(web(1)));
    shop.writeHook(url, "pre-receive", "exit 1");
    await expect(on("one").update("id", urn, outs as never, inputs(web(2)))).rejects.toThrow("hook declined");
    shop.writeHook(url, "pre-receive", "exit 0");
    await on("one").update("id", urn, outs as never, inputs(web(3)));
    expect(there()["edge-1/web.yaml"]).toBe("a: 3\n");
  });
});
