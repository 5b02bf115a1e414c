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

  it("goes on after 262 commits of others too: whose the folder is does not lie in the history", async () => {
    await on("one").create(urn, inputs("1"));
    const commits = Array.from({ length: 262 }, (_, note) => {
      const from = note === 0 ? "from refs/heads/main^0\n" : "";
      const head = "commit refs/heads/main\ncommitter Pat <pat@example.com> 1700000000 +0000\ndata 1\nx\n";
      return `${head}${from}M 100644 inline n\ndata ${String(note).length}\n${note}\n`;
    });
    shop.gitWithInput(url, Buffer.from(commits.join("")), "fast-import", "--quiet");
    await on("two").create(urn, inputs("2"));
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 2\n" });
  });

  it("does not go on over what a person has changed since", async () => {
    await on("one").create(urn, inputs("1"));
    shop.commit(url, { "edge-1/web.yaml": "a: 7\n" });
    await expect(on("two").create(urn, inputs("2"))).rejects.toThrow("a: 7 -> 2");
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 7\n" });
  });
});

describe("a resource under another name", () => {
  it("does not get the folder, unless its name before is told", async () => {
    const { outs: state } = await on("one").create(urn, inputs("1"));
    const renamed = `${urn}-renamed`;
    await expect(on("one").create(renamed, inputs("1"))).rejects.toThrow(
      /^edge-1-renamed: [^]*this folder belongs to edge\/dev\/edge-1\n[^]*`formerly: <old name>` at edge-1-renamed/,
    );
    // Pulumi deletes the old one only where the new one was made.
    await on("one").create(renamed, { ...inputs("2"), formerly: "edge-1" });
    await on("one").delete("id", urn, state as never);
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 2\n" });
  });

  it("of another stack gets it by takeFrom, and the old stack is refused from then on", async () => {
    const { outs: state } = await on("one").create(urn, inputs("1"));
    const other = urn.replace("pulumi:dev", "pulumi:south");
    await expect(on("two").create(other, inputs("1"))).rejects.toThrow("arcflux:takeFrom PROJECT/STACK");
    await on("two").create(other, { ...inputs("1"), takeFrom: "edge/dev" });
    const late = on("one").update("id", urn, state as never, inputs("3"));
    await expect(late).rejects.toThrow("this folder belongs to edge/south/edge-1");
    await on("one").delete("id", urn, state as never);
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 1\n" });
  });

  it("with the state, after a stack was renamed or a state moved, owns it at once", async () => {
    const { outs: state } = await on("one").create(urn, inputs("1"));
    const renamed = urn.replace("pulumi:dev", "pulumi:prod");
    expect((await on("two").diff("id", renamed, state as never, inputs("1"))).changes).toBe(true);
    const { outs } = await on("two").update("id", renamed, state as never, inputs("1"));
    expect(outs).toMatchObject({ owner: "edge/prod/edge-1", serial: 2 });
    const copy = on("one").update("id", urn, state as never, inputs("2"));
    await expect(copy).rejects.toThrow("this folder belongs to edge/prod/edge-1");
  });
});

describe("a state that is older than one run", () => {
  it("stops, with the way to see what came since, and goes on once that is confirmed", async () => {
    const { outs: first } = await on("one").create(urn, inputs("1"));
    let state = first;
    for (const text of ["2", "3"])
      state = (await on("one").update("id", urn, state as never, inputs(text))).outs;
    // A backup of the first state is brought back.
    const back = on("two").update("id", urn, first as never, inputs("4"));
    await expect(back).rejects.toThrow(
      new RegExp(
        `tells of later updates \\(serial 3\\) than the state of this stack knows \\(serial 1\\)[^]*git log ${first.commit.slice(0, 10)}\\.\\.main`,
      ),
    );
    const { outs } = await on("two").update("id", urn, first as never, {
      ...inputs("4"),
      takeFrom: "edge/dev",
    });
    expect(outs).toMatchObject({ serial: 4 });
    expect(shop.contents(url, "edge-1")).toEqual({ "edge-1/web.yaml": "a: 4\n" });
  });
});
