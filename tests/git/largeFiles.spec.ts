import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFiles, writeFiles } from "../../git/index.ts";
import type { GitContext } from "../../git/index.ts";
import { withTree } from "../../git/plumbing/treeReader.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
const size = 160 << 20;
let url: string;
let context: GitContext;
beforeAll(async () => {
  const huge = Buffer.alloc(size, "kind: Kustomization\n");
  url = await shop.repository({
    "README.md": "read me\n",
    "clusters/huge/web.yaml": huge,
    "clusters/small/web.yaml": "kind: Kustomization # the same\n",
    ...Object.fromEntries(
      // Each of them could be compared, and all of them together could not.
      Array.from({ length: 40 }, (_, index) => [
        `clusters/many/${index}.yaml`,
        Buffer.alloc(2 << 20, `${index} `),
      ]),
    ),
  });
  context = { env: shop.env, tempRoot: shop.tempRoot, cacheRoot: shop.cache };
});
afterAll(() => shop.remove());

describe("a file of someone else that is too large to compare", () => {
  it.each([
    ["", {}],
    [", with adopt: overwrite too", { adopt: "overwrite" }],
    [", with drift: restore too", { drift: "restore", owned: { "web.yaml": "1".repeat(40) } }],
  ] as const)("is left as it is, and named with its size%s", async (_, overrides) => {
    const write = writeFiles(writeRequest({ url, directory: "clusters/huge", ...overrides }), context);
    await expect(write).rejects.toMatchObject({
      kind: "conflict",
      conflicts: [{ path: "clusters/huge/web.yaml" }],
    });
    await expect(write).rejects.toThrow("something else is there, of 160 MiB: too large to compare");
  });

  it("does not keep other clusters of the group from being written", async () => {
    const writes = ["huge", "small"].map((name) =>
      writeFiles(writeRequest({ url, directory: `clusters/${name}`, adopt: "overwrite" }), context),
    );
    const [huge, small] = await Promise.allSettled(writes);
    expect(huge).toMatchObject({ status: "rejected", reason: { kind: "conflict" } });
    expect(small).toMatchObject({ status: "fulfilled", value: { kind: "committed" } });
  });

  it("needs little memory", () => {
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    // What the kernel counts as the most of a process includes, on Linux, what its parent had when it started it.
    const most =
      process.platform === "linux"
        ? `Number(/VmHWM:\\s+(\\d+)/.exec(process.getBuiltinModule("node:fs").readFileSync("/proc/self/status", "utf8"))[1])`
        : `process.resourceUsage().maxRSS`;
    const program =
      `process.on("exit", () => console.log("kilobytes", ${most}));` +
      `await import(${JSON.stringify(writer)});`;
    const request = writeRequest({ url, directory: "clusters/huge" });
    const args = ["--input-type=module", "-e", program, "x", JSON.stringify(request), shop.tempRoot];
    const { stdout, stderr } = spawnSync(process.execPath, args, { env: shop.env, encoding: "utf8" });
    expect(stderr).toContain("too large to compare");
    const [, kilobytes = ""] = /^kilobytes (\d+)$/m.exec(stdout) ?? [];
    expect(Number(kilobytes)).toBeGreaterThan(10_000);
    // An empty program needs 45 MiB, and a write of one small file 20 more.
    expect(Number(kilobytes)).toBeLessThan(120 << 10);
  });

  it("is told by its size where contents are read", async () => {
    const place = { url, branch: "main", directory: "clusters/huge", paths: ["web.yaml"] };
    const seen = await readFiles({ ...place, contentsOf: Object.keys }, context);
    expect(seen?.contents?.["web.yaml"]?.toString()).toBe(`(${size} bytes that are not shown)`);
    const paths = ["clusters/huge/web.yaml", "README.md"];
    const read = await withTree({ url, branch: "main" }, context, (tree) => tree.read(paths));
    expect([...read.values()].map(String)).toEqual(["\0(160 MiB, too large to be read)", "read me\n"]);
  });
});

it("of many files, as many are compared as fit into memory together", async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.yaml`, "a: 1\n"]));
  const write = writeFiles(writeRequest({ url, directory: "clusters/many", files }), context);
  const message = await write.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
  // 64 MiB of the 80.
  expect(message.match(/too large to compare/g)).toHaveLength(8);
  expect(message.match(/it is there already, and this stack did not write it/g)).toHaveLength(32);
});
