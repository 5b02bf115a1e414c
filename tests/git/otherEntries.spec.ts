import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { GitWorkshop, inventoryName } from "../support/gitWorkshop.ts";
import type { Fixture } from "../support/gitWorkshop.ts";
import { beforeOf, writeRequest } from "../support/gitRequest.ts";

const shop = new GitWorkshop();
afterAll(() => shop.remove());

/** One name of any bytes that git takes: latin1 characters stand for bytes. */
const name = fc
  .oneof(
    fc.constantFrom(
      "a",
      "a.b",
      "a-b",
      "a0",
      "clusters",
      "edge-1",
      "edge-1.yaml",
      "edge-1-2",
      "flux",
      "flux.yaml",
      "new\nline",
      'quo"te',
      "tab\t",
    ),
    fc
      .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 8 })
      .map((bytes) => String.fromCharCode(...bytes)),
  )
  .map((text) => text.replaceAll("/", "_"))
  .filter((text) => ![".", ".."].includes(text) && !/git/i.test(text));

const entry = fc.oneof(
  fc.string({ maxLength: 20 }).map((data) => ({ mode: "100644", data })),
  fc.string({ maxLength: 20 }).map((data) => ({ mode: "100755", data })),
  fc.constant({ mode: "120000", data: "../somewhere" }),
  fc.constant({ mode: "160000", id: "0123456789012345678901234567890123456789" }),
);

/** A repository with arbitrary entries around our folder, none of them in our way. */
const surroundings = fc
  .array(
    fc.tuple(
      fc.constantFrom([], ["clusters"], ["clusters", "edge-1"], ["clusters", "edge-1", "flux"], ["other"]),
      fc.array(name, { minLength: 1, maxLength: 3 }),
      entry,
    ),
    { maxLength: 12 },
  )
  .map((items) => {
    const files = new Map<string, Fixture[string]>([["README.md", "read me\n"]]);
    for (const [prefix, names, value] of items) {
      const path = [...prefix, ...names].join("/");
      const taken = [...files.keys(), "clusters/edge-1/flux/ours-0.yaml"];
      const inTheWay = taken.some(
        (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
      );
      if (!inTheWay) files.set(path, value);
    }
    return Object.fromEntries(files);
  });

const ours = fc
  .uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 })
  .map((numbers) => Object.fromEntries(numbers.map((n) => [`ours-${n}.yaml`, `content ${n}\n`])));

describe("a write", () => {
  it("leaves every other entry with its mode, its id and its name", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(surroundings, ours, async (files, wanted) => {
        const url = await shop.repository(files, { name: `repository-${run++}` });
        const before = shop.entries(url);
        const context = { env: shop.env, tempRoot: shop.tempRoot };
        const request = writeRequest({ url, files: wanted });

        const result = await writeFiles(request, context);

        const isOurs = (line: string): boolean =>
          Object.keys(wanted).some((path) => line.endsWith(`\tclusters/edge-1/flux/${path}`));
        const after = shop.entries(url).filter((line) => !line.endsWith(`/${inventoryName}`));
        expect(after.filter((line) => !isOurs(line))).toEqual(before);
        expect(after.filter(isOurs).map((line) => line.split("\t")[0])).toEqual(
          Object.entries(wanted)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([, content]) => `100644 blob ${shop.blob(content)}`),
        );
        // And gone again, as if we had never been there.
        await writeFiles({ ...request, files: {}, remove: true, before: beforeOf(result) }, context);
        expect(shop.git(url, "rev-parse", "main^{tree}")).toBe(shop.git(url, "rev-parse", "main~2^{tree}"));
      }),
      { numRuns: 10 },
    );
  });

  it("keeps an odd mode that an old tool stored", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    // Early versions of git wrote 100664; git itself shows it as 100644.
    const blob = shop.git(url, "rev-parse", "main:README.md");
    const raw = Buffer.concat([Buffer.from("100664 old\0"), Buffer.from(blob, "hex")]);
    const tree = shop.gitWithInput(url, raw, "hash-object", "-w", "-t", "tree", "--literally", "--stdin");
    const commit = shop.git(
      url,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit-tree",
      "-m",
      "old",
      tree,
    );
    shop.git(url, "update-ref", "refs/heads/main", commit);

    await writeFiles(writeRequest({ url }), { env: shop.env, tempRoot: shop.tempRoot });

    expect(shop.rawTree(url, "main^{tree}")).toContain("100664 old\0");
  });
});
