import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

/* What a run shows beside its changes. */

let test: TestLab;
let stack: LabStack;
const fleet = presentFleet({ a: ["x"], b: ["x"] });

beforeAll(async () => {
  test = await startTestLab({ assumeClusters: true });
  stack = await LabStack.init(test.lab, "dev", fleet);
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
}, 120_000);
afterAll(() => test.stop());

it("a preview of an unchanged stack shows nothing that changes", async () => {
  const { stdout } = expectCode(await stack.operate("preview"), 0);
  expect(stdout).toMatch(/\n {4}11 unchanged\n/);
  expect(stdout).not.toMatch(/unknown\]|Outputs:|In Git:/);
}, 60_000);

it("outputs are not listed as deleted where an update ends in an error", async () => {
  await test.person.commit("By hand", { "clusters/a/flux/y.yaml": "x: 1\n" });
  await stack.writeFleet(presentFleet({ a: ["x", "y"], b: ["x"] }));
  const up = await stack.operate("up", ["--skip-preview"]);
  expect(up.code).not.toBe(0);
  expect(up.stdout).toContain("clusters/a/flux/y.yaml");
  expect(up.stdout).not.toMatch(/^ +- /m);
}, 120_000);
