import { describe, expect, it } from "vitest";
import { parseObjects } from "../../git/plumbing/objects.ts";
import { formatTree, objectId, parseTree } from "../../git/plumbing/tree.ts";

const id = "45b983be36b73c0788dc9cbcb76cbb80fc7bb057";

describe("a tree", () => {
  it("is written in git's order, a folder as if its name ended in a slash", () => {
    const entry = (name: string, mode = "100644"): { name: string; mode: string; id: string } => ({
      name,
      mode,
      id,
    });
    const raw = formatTree([entry("a0"), entry("a", "40000"), entry("a.b"), entry("\xff"), entry("a-b")]);
    expect(parseTree(raw, 20).map(({ name }) => name)).toEqual(["a-b", "a.b", "a", "a0", "\xff"]);
  });

  it("that is cut short is an error and never a shorter tree", () => {
    const raw = formatTree([
      { name: "a", mode: "100644", id },
      { name: "b", mode: "100644", id },
    ]);
    for (const length of [1, 5, 8, 20, raw.length - 21, raw.length - 1]) {
      expect(() => parseTree(raw.subarray(0, length), 20)).toThrow("not a tree object");
    }
  });

  it("and a blob have the ids that git gives them", () => {
    // The empty tree and the empty blob, known to every user of git; "hi\n" by `git hash-object`.
    expect(objectId("tree", Buffer.alloc(0), 40)).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    expect(objectId("blob", Buffer.alloc(0), 40)).toBe("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    expect(objectId("blob", Buffer.from("hi\n"), 40)).toBe(id);
  });
});

describe("the output of cat-file", () => {
  it("gives the objects that are there, in any content", () => {
    const output = Buffer.from(`gone missing\n${id} blob 8\na\nb 1\n x\n${id} tree 0\n\n`);
    const found = parseObjects(output, ["gone", "one", "two"]);
    expect([...found].map(([name, { type, content }]) => [name, type, content.toString()])).toEqual([
      ["one", "blob", "a\nb 1\n x"],
      ["two", "tree", ""],
    ]);
  });

  it("that ends early gives no object", () => {
    expect(parseObjects(Buffer.from(`${id} blob 9\nabc`), ["one"]).size).toBe(0);
    expect(parseObjects(Buffer.from(""), ["one"]).size).toBe(0);
  });
});
