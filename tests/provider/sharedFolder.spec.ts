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
    await expect(plugin.create(urn("b"), second ?? {})).rejects.toThrow(/edge-1\/a\.yaml is one of a\n/);
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

describe.each([
  ["its files have the same names", (): string => "set"],
  ["its files have names of their own", (name: string): string => name],
])("a resource that moves to where another is: %s", (_names, file) => {
  const isSame = file("one") === file("two");
  type Move = readonly [name: string, from: string, to: string, onMove?: "finish"];
  const at = (name: string, directory: string): Record<string, unknown> => ({
    ...inputs({ [`flux/${file(name)}.yaml`]: `of: ${name}\n` }),
    directory,
  });
  const contents = (folder: string): string[] => Object.values(shop.contents(url, folder));
  let states: Map<string, Record<string, unknown>>;
  beforeEach(async () => {
    states = new Map();
    for (const name of ["one", "two"]) {
      states.set(name, {
        ...(await on("one").create(urn(name), at(name, name))).outs,
      });
    }
  });
  /**
   * One run of these moves, all at once, as the engine makes it: a resource may be updated before the next is checked.
   * Returns how each ended.
   */
  const run = (moves: readonly Move[], { apart = 0 } = {}): Promise<string[]> => {
    const plugin = on("two");
    return Promise.all(
      moves.map(async ([name, from, to, onMove], index) => {
        const wanted = { ...at(name, to), ...(onMove && { onMove }) };
        if (index > 0 && apart > 0) await new Promise((resolve) => setTimeout(resolve, apart));
        await plugin.check(urn(name), at(name, from), wanted);
        const { changes } = await plugin.diff("id", urn(name), states.get(name) ?? {}, wanted);
        if (!changes) return "stayed";
        try {
          const { outs } = await plugin.update("id", urn(name), states.get(name) ?? {}, wanted);
          states.set(name, { ...outs });
          return "moved";
        } catch (error) {
          return (error as Error).message;
        }
      }),
    );
  };
  const refused = (path: string, by: string): unknown =>
    expect.stringMatching(
      new RegExp(
        `moves away from .*\\n  ${path} is in a folder that is left by ${by}\\n.*Move one at a time`,
      ),
    );

  it("is refused both ways where they swap, and nothing is written", async () => {
    const before = shop.log(url);
    expect(
      await run([
        ["one", "one", "two"],
        ["two", "two", "one"],
      ]),
    ).toEqual([
      refused(`two/flux/${file("one")}.yaml`, "two"),
      refused(`one/flux/${file("two")}.yaml`, "one"),
    ]);
    expect(shop.log(url)).toEqual(before);
  });

  type Case = readonly [string, readonly Move[], number];
  const chain: readonly Move[] = [
    ["one", "one", "two"],
    ["two", "two", "three"],
  ];
  it.each([
    ["after it", chain, 0] as Case,
    ["before it", chain.toReversed(), 0] as Case,
    // Nothing but a file of the other that is there tells that there is another.
    ["after it, when the engine comes to it late,", chain, 400] as Case,
  ])(
    "is refused where that moves on %s in the same run, and goes on in the next",
    async (_when, moves, apart) => {
      const ends = new Map((await run(moves, { apart })).map((end, index) => [moves[index]?.[0], end]));
      expect(ends.get("one")).toEqual(refused(`two/flux/${file("one")}.yaml`, "two"));
      expect(ends.get("two")).toBe("moved");
      expect(contents("one")).toEqual(["of: one\n"]);
      // Two's cluster may still look at its old folder: gone or as it was, but not another's.
      expect(contents("two")).not.toContain("of: one\n");

      const next: readonly Move[] = [
        ["one", "one", "two"],
        ["two", "three", "three"],
      ];
      // What one wants waits for two's cluster, until that is said to have followed; with other names the folder is gone.
      const still = isSame ? ["of: two\n"] : [];
      expect(contents("two")).toEqual(still);
      expect(await run(next)).toEqual([refused(`two/flux/${file("one")}.yaml`, "two"), "stayed"]);
      expect(contents("two")).toEqual(still);
      // To run it once with both is enough to be told to run it again.
      const [refusal, finished] = await run([
        ["one", "one", "two", "finish"],
        ["two", "three", "three", "finish"],
      ]);
      expect(refusal).toMatch(
        /left by two\narcflux:onMove is finish: when this update has taken out what waits there, run pulumi up again/,
      );
      expect(finished).toBe("moved");
      expect(await run(next)).toEqual(["moved", "stayed"]);
      expect([contents("one"), contents("two"), contents("three")]).toEqual([
        [],
        ["of: one\n"],
        ["of: two\n"],
      ]);
    },
  );

  it("may be new, and then waits for the next run as well", async () => {
    const plugin = on("one");
    await plugin.check(urn("one"), at("one", "one"), at("one", "elsewhere"));
    await plugin.update("id", urn("one"), states.get("one") ?? {}, at("one", "elsewhere"));
    const fresh = plugin.create(urn("fresh"), at("fresh", "one"));
    await expect(fresh).rejects.toThrow(
      /one\/flux\/\w+\.yaml is in a folder that is left by one\n.*Move one at a time/,
    );
    await on("one").create(urn("fresh"), at("fresh", "one"));
    expect(contents("one")).toEqual(["of: fresh\n"]);
  });

  it("is refused while the engine has not come to that, which it may never do, unless that is decided about", async () => {
    const before = shop.log(url);
    const [refusal] = await run([["one", "one", "two"]]);
    expect(refusal).toMatch(
      new RegExp(
        `has not come to it, .*:\n  two/flux/${file("two")}\.yaml was written by two\n.*Move one at`,
      ),
    );
    expect(shop.log(url)).toEqual(before);
    const plugin = on("two");
    const wanted = { ...at("one", "two"), adopt: "overwrite" };
    await plugin.check(urn("one"), at("one", "one"), wanted);
    await plugin.update("id", urn("one"), states.get("one") ?? {}, wanted);
    expect(contents("two")).toEqual(isSame ? ["of: one\n"] : ["of: one\n", "of: two\n"]);
  });

  it("does not keep the files of one that goes in the same run, and so may come in the next", async () => {
    const plugin = on("two");
    await plugin.check(urn("one"), at("one", "one"), at("one", "two"));
    await plugin.diff("id", urn("one"), states.get("one") ?? {}, at("one", "two"));
    const move = plugin.update("id", urn("one"), states.get("one") ?? {}, at("one", "two"));
    await expect(move).rejects.toThrow(/was written by two\n.*not in the program any more/);
    await plugin.delete("id", urn("two"), states.get("two") as never);
    expect(contents("two")).toEqual([]);
    expect(await run([["one", "one", "two"]])).toEqual(["moved"]);
    expect(contents("two")).toEqual(["of: one\n"]);
  });

  it("gets the files of one that goes in the same run where that is decided about", async () => {
    const plugin = on("two");
    const wanted = { ...at("one", "two"), adopt: "overwrite" };
    await plugin.check(urn("one"), at("one", "one"), wanted);
    await plugin.delete("id", urn("two"), states.get("two") as never);
    // It has not come yet, and what it is to write over is still there; a set that it does not want goes.
    expect(contents("two")).toEqual(isSame ? ["of: two\n"] : []);
    await plugin.update("id", urn("one"), states.get("one") ?? {}, wanted);
    expect(contents("two")).toEqual(["of: one\n"]);
  });

  it("takes over what is there where it is new: that one may have another name now", async () => {
    const plugin = on("two");
    await plugin.check(urn("fresh"), {}, at("two", "two"));
    await plugin.create(urn("fresh"), at("two", "two"));
    expect(contents("two")).toEqual(["of: two\n"]);
  });
});

describe("a file that waits for the cluster of one resource", () => {
  const at = (directory: string, over = {}): Record<string, unknown> => ({
    ...inputs({ "set.yaml": "x: 1\n" }),
    directory,
    ...over,
  });
  const step = async (plugin: GitFilesPlugin, name: string, state: object, before: string, to: object) => {
    await plugin.check(urn(name), at(before), to as never);
    await plugin.diff("id", urn(name), state as never, to as never);
    return { ...(await plugin.update("id", urn(name), state as never, to as never)).outs };
  };
  const waiting = async (): Promise<{ a: object; b: object }> => {
    const first = await on("one").create(urn("a"), at("here"));
    shop.commit(url, { "here/by-hand.yaml": "c: 1\n" });
    const a = await step(on("one"), "a", first.outs, "here", at("there"));
    const b = await on("one").create(urn("b"), at("third"));
    expect(a).toMatchObject({ leaving: [{ directory: "here" }] });
    return { a, b: b.outs };
  };
  const here = (): string[] => Object.keys(shop.contents(url, "here"));

  it("does not come to two resources by adopt: overwrite, and may be finished for one of them", async () => {
    const { a, b } = await waiting();
    for (const early of [true, false]) {
      const plugin = on("one");
      const seen = async (): Promise<void> => {
        await plugin.check(urn("a"), at("there"), at("there"));
        await plugin.diff("id", urn("a"), a as never, at("there"));
      };
      if (early) await seen();
      const moved = step(plugin, "b", b, "third", at("here", { adopt: "overwrite" }));
      const refusal = expect(moved).rejects.toThrow(/left by a\n.*adopt overwrite does not count/);
      if (!early) await new Promise((resolve) => setTimeout(resolve, 50)).then(seen);
      await refusal;
    }
    const after = await step(on("one"), "a", a, "there", at("there", { onMove: "finish" }));
    expect(here()).toEqual(["here/by-hand.yaml"]);
    expect(after).not.toHaveProperty("leaving");
  });

  it.each([true, false])(
    "is taken out by finish beside one that is new and refused there (that first: %j)",
    async (freshFirst) => {
      const { a } = await waiting();
      const plugin = on("one");
      if (freshFirst) await plugin.check(urn("new"), {}, at("here"));
      const after = await step(plugin, "a", a, "there", at("there", { onMove: "finish" }));
      if (!freshFirst) await plugin.check(urn("new"), {}, at("here"));
      expect(here()).toEqual(["here/by-hand.yaml"]);
      expect(after).not.toHaveProperty("leaving");
    },
  );

  it("is none any more where one that was allowed to has come in the same run", async () => {
    const [a, b] = [
      await on("one").create(urn("a"), at("here")),
      await on("one").create(urn("b"), at("third")),
    ];
    shop.commit(url, { "here/by-hand.yaml": "c: 1\n" });
    const plugin = on("one");
    await plugin.check(urn("b"), at("third"), at("here", { adopt: "overwrite" }));
    const moved = await step(plugin, "a", a.outs, "here", at("there"));
    await plugin.update("id", urn("b"), b.outs as never, at("here", { adopt: "overwrite" }));
    expect(moved).not.toHaveProperty("leaving");
    // It alone has it now, whoever the engine comes to.
    await step(on("one"), "a", moved, "there", at("there", { onMove: "finish" }));
    expect(here()).toEqual(["here/by-hand.yaml", "here/set.yaml"]);
  });
});

it("a resource that moves to another branch is refused where one that the engine has not come to has other files", async () => {
  shop.git(url, "branch", "live", "main");
  const at = (name: string, directory: string, branch: string): Record<string, unknown> => ({
    ...inputs({ [`${name}.yaml`]: "x: 1\n" }),
    ...{ directory, branch },
  });
  await on("one").create(urn("b"), at("b", "there", "live"));
  const { outs } = await on("one").create(urn("a"), at("a", "here", "main"));
  const before = shop.log(url, "live");
  const plugin = on("two");
  await plugin.check(urn("a"), at("a", "here", "main"), at("a", "there", "live"));
  await expect(plugin.update("id", urn("a"), outs as never, at("a", "there", "live"))).rejects.toThrow(
    /the update has not come to it.*\n  there\/b\.yaml was written by b\n/,
  );
  expect(shop.log(url, "live")).toEqual(before);
});

it("a resource that moves to what it wrote itself and another took over since is refused while that moves away", async () => {
  const at = (directory: string, over = {}): Record<string, unknown> => ({
    ...inputs({ "set.yaml": "x: 1\n" }),
    directory,
    ...over,
  });
  const first = await on("one").create(urn("a"), at("here", { onDelete: "keep" }));
  await on("one").delete("id", urn("a"), first.outs as never);
  const away = await on("one").create(urn("a"), at("there"));
  // As it is wanted already, so that no commit tells of it.
  const { outs } = await on("two").create(urn("b"), at("here"));
  const before = shop.log(url);
  expect(before).toHaveLength(3);

  const plugin = on("three");
  await plugin.check(urn("a"), at("there"), at("here"));
  await plugin.diff("id", urn("a"), away.outs as never, at("here"));
  const moved = plugin.update("id", urn("a"), away.outs as never, at("here"));
  const refusal = expect(moved).rejects.toThrow(
    /here\/set\.yaml is in a folder that is left by b\n.*Move one at a time/,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  await plugin.check(urn("b"), at("here"), at("new"));
  await plugin.diff("id", urn("b"), outs as never, at("new"));
  await refusal;
  expect(shop.log(url)).toEqual(before);
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
