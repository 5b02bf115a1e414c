import { existsSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClone } from "./fakeClone.ts";

/** The Node that runs these tests is made too old by asking for 90.5: then the pinned one is needed. */
let clone: FakeClone;
let env: Record<string, string>;
const platform = `${process.platform}-${process.arch}`;
const nodeFile = () => join(clone.cache, `node-90.6.0-${platform}`, "bin", "node");
const nodeLink = () => join(clone.root, "node_modules", ".bin", "node");

function pinNode(version: string, integrity?: string): void {
  const { file, integrity: right } = clone.packNode(version);
  clone.pin({
    node: {
      packages: { [platform]: { name: "node-test", version: "90.6.0", integrity: integrity ?? right } },
    },
  });
  env = { NODE_PACKAGE: file };
}

beforeEach(() => {
  clone = new FakeClone();
  clone.writePackage({ minimumNode: "90.5" });
  pinNode("90.6.0");
});
afterEach(() => clone.dispose());

test("a Node that is too old gets the pinned one beside it, linked for npm scripts", async () => {
  const { code, text } = await clone.run(["--no-engine"], env);
  expect(code).toBe(0);
  expect(text).toContain(`Node ${process.versions.node} is older than 90.5`);
  expect(clone.calls("npm pack")[0]).toMatch(/^npm pack node-test@90\.6\.0 /);
  expect(clone.tools().node).toEqual({ path: nodeFile(), version: "90.6.0" });
  expect(readlinkSync(nodeLink())).toBe(nodeFile());
});

test("it is found again without network, also after npm ci took the link away", async () => {
  await clone.run(["--no-engine"], env);
  expect((await clone.run(["--no-engine"], { PATH: "/nowhere" })).code).toBe(0);
  clone.writePackage({ minimumNode: "90.5", version: "2.0.0" });
  expect((await clone.run(["--no-engine"])).code).toBe(0);
  expect(clone.calls("npm pack")).toHaveLength(1);
  expect(readlinkSync(nodeLink())).toBe(nodeFile());
});

test("a package with another integrity than the pinned one is not unpacked", async () => {
  pinNode("90.6.0", `sha512-${"A".repeat(86)}==`);
  const { code, text } = await clone.run(["--no-engine"], env);
  expect(code).toBe(1);
  expect(text).toContain("integrity");
  expect(existsSync(nodeFile())).toBe(false);
});

test("a package that holds another version is not taken", async () => {
  pinNode("90.6.1");
  const { code, text } = await clone.run(["--no-engine"], env);
  expect(code).toBe(1);
  expect(text).toContain("90.6.1");
  expect(existsSync(nodeFile())).toBe(false);
});

test("a changed binary in the cache is fetched again", async () => {
  await clone.run(["--no-engine"], env);
  const right = readFileSync(nodeFile());
  writeFileSync(nodeFile(), "#!/bin/sh\necho v90.6.0\n");
  expect((await clone.run(["--no-engine"], env)).code).toBe(0);
  expect(clone.calls("npm pack")).toHaveLength(2);
  expect(readFileSync(nodeFile())).toEqual(right);
});

test("the link goes when the user's own Node is new enough", async () => {
  await clone.run(["--no-engine"], env);
  clone.writePackage({ minimumNode: "18.0.0" });
  expect((await clone.run(["--no-engine"])).code).toBe(0);
  expect(existsSync(nodeLink())).toBe(false);
  expect(clone.tools().node.path).toBe(process.execPath);
});

test("without network and cache it says what to do", async () => {
  clone.stub("npm", 'console.error("npm error ENOTFOUND"); process.exit(1);');
  const { code, text } = await clone.run(["--no-engine"], env);
  expect(code).toBe(1);
  expect(text).toContain("npm error ENOTFOUND");
  expect(text).toContain("install Node 90.5 or newer");
});
