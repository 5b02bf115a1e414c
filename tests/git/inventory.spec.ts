import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatInventory, type Inventory, parseInventory } from "../../git/commit/inventory.ts";
import { checkPath } from "../../git/index.ts";

const blob = (digit: number): string => String(digit).repeat(40);
const file = (digit: number, serial = digit) => ({ blob: blob(digit), executable: false, serial });
const inventory = (files: Readonly<Record<string, ReturnType<typeof file>>>): Inventory => ({
  owner: "edge/prod/edge-0",
  left: [],
  files: new Map(Object.entries(files)),
});

describe("the text of an inventory", () => {
  it("is sorted, with each path on a line of its own", () => {
    const text = formatInventory({
      ...inventory({ "c/flux/web.yaml": file(2), "c/apps/a.yaml": file(1) }),
      left: ["stores/b/flux"],
    });
    expect(text.split("\n").slice(1)).toEqual([
      "owner edge/prod/edge-0",
      "",
      "left /stores/b/flux",
      "",
      "/c/apps/a.yaml",
      `  100644 ${blob(1)} 1`,
      "",
      "/c/flux/web.yaml",
      `  100644 ${blob(2)} 2`,
      "",
    ]);
  });

  it("is read as it was written, whatever the paths, and with other line ends", () => {
    const path = fc.string({ unit: "grapheme" }).filter((text) => checkPath(text).length === 0);
    const entry = fc.record({
      blob: fc.constantFrom(blob(1), "f".repeat(64)),
      executable: fc.boolean(),
      serial: fc.integer({ min: 1 }),
      rolledBack: fc.option(fc.constant(blob(9)), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.dictionary(path, entry), fc.uniqueArray(path), (files, left) => {
        const wanted = {
          owner: "edge/prod/a: b/c",
          left: left.toSorted(),
          files: new Map(Object.entries(files)),
        };
        for (const text of [formatInventory(wanted), formatInventory(wanted).replaceAll("\n", "\r\n")])
          expect(parseInventory(text)).toEqual(wanted);
      }),
      {
        examples: [
          [
            { "a\u2028b/c.yaml": { blob: blob(1), executable: false, serial: 1, rolledBack: undefined } },
            ["x\u2029y"],
          ],
        ],
      },
    );
  });

  it.each([
    ["", "it names no owner"],
    ["owner edge/prod\n", "line 1"],
    ["owner edge/prod/a\n\n/x.yaml\n", "line 4"],
    [`owner edge/prod/a\n\n/../x.yaml\n  100644 ${blob(1)} 1\n`, "line 3"],
    [`owner edge/prod/a\n\n/x.yaml\n  120000 ${blob(1)} 1\n`, "line 4"],
    [`owner edge/prod/a\n\n<<<<<<< main\n`, "line 3"],
    [`owner edge/prod/a\nowner edge/prod/b\n`, "line 2"],
  ])("that is not as it was written tells where: %j", (text, told) => {
    expect(parseInventory(text)).toMatchObject({ fault: expect.stringContaining(told) as string });
  });
});

describe("git merges inventories", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "arcflux-inventory-"));
    git("init", "-q", "--initial-branch=main");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const git = (...args: string[]): void => {
    const env = { PATH: process.env["PATH"], HOME: folder };
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const done = spawnSync("git", [...who, ...args], { cwd: folder, env });
    if (done.status !== 0)
      throw new Error(`git ${args.join(" ")}: ${done.stdout.toString()}${done.stderr.toString()}`);
  };
  const write = (files: Parameters<typeof inventory>[0]): void => {
    writeFileSync(join(folder, "inventory"), formatInventory(inventory(files)));
    git("add", ".");
    git("commit", "-qm", "Write");
  };
  const now = (): unknown => parseInventory(readFileSync(join(folder, "inventory"), "utf8"));

  it("when an older commit that added a file beside others is reverted, though its neighbours changed since", () => {
    write({ "a.yaml": file(1), "c.yaml": file(1) });
    write({ "a.yaml": file(1), "b.yaml": file(2), "c.yaml": file(1) });
    git("tag", "monitoring");
    write({ "a.yaml": file(3), "b.yaml": file(2), "c.yaml": file(4) });
    git("revert", "--no-edit", "monitoring");
    expect(now()).toEqual(inventory({ "a.yaml": file(3), "c.yaml": file(4) }));
  });

  it("when one change is picked to a branch that lacks the one before it", () => {
    write({ "a.yaml": file(1), "b.yaml": file(1), "c.yaml": file(1) });
    git("branch", "prod");
    write({ "a.yaml": file(2), "b.yaml": file(1), "c.yaml": file(1) });
    write({ "a.yaml": file(2), "b.yaml": file(3), "c.yaml": file(1) });
    git("checkout", "-q", "prod");
    git("cherry-pick", "main");
    expect(now()).toEqual(inventory({ "a.yaml": file(1), "b.yaml": file(3), "c.yaml": file(1) }));
  });

  it("of stage branches that changed, added and removed neighbours", () => {
    write({ "a.yaml": file(1), "b.yaml": file(1), "d.yaml": file(1) });
    git("checkout", "-qb", "prod");
    write({ "a.yaml": file(2), "b.yaml": file(1), "c.yaml": file(2), "d.yaml": file(1) });
    git("checkout", "-q", "main");
    write({ "a.yaml": file(1), "b.yaml": file(3), "d.yaml": file(4) });
    git("merge", "-q", "--no-edit", "prod");
    expect(now()).toEqual(
      inventory({ "a.yaml": file(2), "b.yaml": file(3), "c.yaml": file(2), "d.yaml": file(4) }),
    );
  });
});
