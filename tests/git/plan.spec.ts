import { describe, expect, it } from "vitest";
import type { Before } from "../../git/index.ts";
import type { Asked } from "../../git/commit/asked.ts";
import { formatInventory, inventoryPath, type Recorded } from "../../git/commit/inventory.ts";
import { type Lineage, lineageOf, type Told } from "../../git/commit/lineage.ts";
import { ownershipOf } from "../../git/commit/ownership.ts";
import { applied, blobOf, type Files, planOn } from "./inventoryTree.ts";

const entry = (text: string, serial: number, more: Partial<Recorded> = {}): Recorded => ({
  ...{ blob: blobOf(text), executable: false, serial },
  ...more,
});
const known = (...all: readonly (readonly [text: string, serial: number])[]): Told["known"] =>
  all.map(([text, serial]) => ({ blob: blobOf(text), serial }));

describe("a file, as the state and the inventory tell of it", () => {
  // The state has saved write 5; what it knows of the file, and what the inventory says.
  it.each<[string, Lineage, Partial<Told>]>([
    ["as it was saved", "asLeft", { known: known(["a", 3]), entry: entry("a", 3) }],
    ["no state", "asLeft", { known: [], entry: entry("a", 9), top: undefined }],
    ["a state without serials", "asLeft", { known: [{ blob: blobOf("x") }], entry: entry("a", 3) }],
    ["one write further", "later", { known: known(["a", 3]), entry: entry("b", 6) }],
    ["new, one write further", "later", { known: [], entry: entry("b", 6) }],
    ["gone, and others one write further", "new", { known: known(["a", 3]), newest: 6 }],
    ["in neither", "new", { known: [] }],
    ["of a pull request that was closed", "new", { known: known(["a", 5]), mayLack: true }],
    ["in the state alone", "unlisted", { known: known(["a", 3]), newest: 5 }],
    ["older than in the state", "setBack", { known: known(["a", 3]), entry: entry("z", 2) }],
    ["taken out by us, and there again", "broughtBack", { known: [], entry: entry("a", 2) }],
    ["two writes further", "ahead", { known: known(["a", 3]), entry: entry("c", 7) }],
    ["of the same write, and another", "ahead", { known: known(["a", 3]), entry: entry("b", 3) }],
    ["of a write in between", "ahead", { known: known(["a", 3]), entry: entry("b", 4) }],
    [
      "what the base of a pull request holds",
      "asLeft",
      { known: known(["a", 2], ["b", 5]), entry: entry("a", 2) },
    ],
    ["what was proposed in between", "asLeft", { known: known(["a", 2], ["b", 5]), entry: entry("m", 4) }],
    ["older than the base too", "setBack", { known: known(["a", 2], ["b", 5]), entry: entry("z", 1) }],
    ["rolled back", "asLeft", { known: known(["b", 5]), entry: entry("a", 9, { rolledBack: blobOf("b") }) }],
  ])("%s: %s", (_, lineage, told) => {
    expect(lineageOf({ known: [], entry: undefined, top: 5, newest: 5, ...told })).toBe(lineage);
  });
});

describe("a folder whose inventory names", () => {
  const inventory = (owner: string, serial = 3) => ({
    owner,
    left: [],
    files: new Map([["p/a.yaml", entry("a", serial)]]),
  });
  it.each([
    ["us", "ours", "edge/north/a", {}],
    ["the cluster as it was called before", "ours", "edge/north/z", { formerly: "z" }],
    ["another cluster of the stack", "others", "edge/north/z", {}],
    ["the cluster in another stack", "others", "edge/south/a", {}],
    ["the cluster in a stack that is taken over", "taken", "edge/south/a", { takeFrom: "edge/south" }],
    ["another cluster of a stack that is taken over", "others", "edge/south/z", { takeFrom: "edge/south" }],
    ["us, where our own is taken over", "taken", "edge/north/a", { takeFrom: "edge/north" }],
    [
      "whom the state names, with its serial",
      "byState",
      "old/north/a",
      { state: { owner: "old/north/a", serial: 3 } },
    ],
    [
      "whom the state names, further than it",
      "others",
      "old/north/a",
      { state: { owner: "old/north/a", serial: 2 } },
    ],
  ] as const)("%s is %s", (_, ownership, owner, claim) => {
    expect(ownershipOf({ owner: "edge/north/a", ...claim }, inventory(owner))).toBe(ownership);
  });

  it("any stack and the cluster is ours to a check without a stack", () => {
    expect(ownershipOf({ owner: "*/*/a" }, inventory("edge/south/a"))).toBe("ours");
    expect(ownershipOf({ owner: "*/*/a" }, inventory("edge/south/b"))).toBe("others");
  });
});

describe("a plan", () => {
  const asked = (files: Asked["files"], more: Partial<Asked> = {}): Asked => ({
    ...{ directory: "p", files, owner: "edge/north/a" },
    ...more,
  });
  const start: Files = new Map([["README.md", "read me"]]);
  const kinds = (files: Files, one: Asked): string[] =>
    planOn(files, one).conflicts.map(({ kind, path }) => `${kind} ${path}`);
  const written = applied(start, planOn(start, asked({ "a.yaml": "1", "b.yaml": "1" })));

  it("deletes what was judged, and nothing where the tip holds another blob or another file would go", () => {
    const next = asked({ "a.yaml": "1" });
    const judged = (deletions: Asked["deletions"]): Asked => ({ ...next, deletions });
    expect(planOn(written, judged({ "p/b.yaml": blobOf("1") })).changes.get("p/b.yaml")).toBeNull();
    expect(kinds(written, judged({ "p/b.yaml": blobOf("2") }))).toEqual(["moved p/b.yaml"]);
    expect(kinds(written, judged({}))).toEqual(["moved p/b.yaml"]);
    // What was judged and is gone by now is no matter.
    expect(kinds(written, { ...judged({ "p/x.yaml": blobOf("1"), "p/b.yaml": blobOf("1") }) })).toEqual([]);
  });

  it("holds a cluster that was rolled back until the fleet file says something else", () => {
    const files = new Map([["p/a.yaml", entry("1", 7, { rolledBack: blobOf("2") })]]);
    const text = formatInventory({ owner: "edge/north/a", left: [], files });
    const tip: Files = new Map([...start, ["p/a.yaml", "1"], [inventoryPath("p"), text]]);
    const before: Before = {
      folder: "p",
      owner: "edge/north/a",
      serial: 4,
      files: { "p/a.yaml": known(["2", 4]) },
    };
    expect(kinds(tip, asked({ "a.yaml": "2" }, { before }))).toEqual(["rolledBack p/a.yaml"]);
    expect(planOn(tip, asked({ "a.yaml": "1" }, { before })).changes.size).toBe(0);
    expect(planOn(tip, asked({ "a.yaml": "3" }, { before }))).toMatchObject({ conflicts: [], serial: 8 });
  });

  it("believes no inventory about files outside the folder of the cluster", () => {
    const files = new Map([["README.md", entry("read me", 1)]]);
    const text = formatInventory({ owner: "edge/north/a", left: [], files });
    const tip: Files = new Map([...start, [inventoryPath("p"), text]]);
    expect([...planOn(tip, asked({ "a.yaml": "1" })).changes.keys()]).toEqual([
      "p/a.yaml",
      inventoryPath("p"),
    ]);
    expect([...planOn(tip, asked({}, { remove: true })).changes.keys()]).toEqual([inventoryPath("p")]);
  });

  it("refuses a move into the folder above or below, and one that leaves manifests of others behind", () => {
    const before: Before = {
      folder: "p",
      owner: "edge/north/a",
      serial: 1,
      files: { "p/a.yaml": known(["1", 1]) },
    };
    const to = (directory: string): Asked => asked({ "a.yaml": "1" }, { directory, before });
    expect(kinds(written, to("p/q"))).toEqual(["nested p"]);
    const tip = new Map([...written, ["p/by-hand.yaml", "person"], ["p/notes.md", "x"]]);
    expect(kinds(tip, to("q"))).toEqual(["lost p/by-hand.yaml"]);
    expect(kinds(new Map([...tip, ["q/by-hand.yaml", "person"]]), to("q"))).toEqual([]);
  });
});
