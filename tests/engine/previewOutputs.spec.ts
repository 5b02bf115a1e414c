import { afterAll, beforeAll, expect, it } from "vitest";

import { mustRun } from "../../lab/run.ts";
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
});
afterAll(() => test.stop());

it("a preview of an unchanged stack shows nothing that changes", async () => {
  const { stdout } = expectCode(await stack.operate("preview"), 0);
  expect(stdout).toMatch(/\n {4}12 unchanged\n/);
  expect(stdout).not.toMatch(/unknown\]|Outputs:|In Git:|Undefined value/);
});

it("a branch that was set back behind the last write is one warning, with the way to write it again", async () => {
  const commits = await test.repository.commits();
  await stack.writeFleet(fleet.replaceAll("x: {}", "x: { interval: 20m }"));
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  const [written = ""] = await test.repository.commits();
  await mustRun("git", ["--git-dir", test.lab.gitDir, "update-ref", "refs/heads/main", commits[0] ?? ""], {
    cwd: "/",
    env: process.env,
  });
  const { stdout } = expectCode(await stack.operate("preview"), 0);
  expect(stdout).toContain(
    `clusters.a: branch main lacks ${written.slice(0, 7)}, the last write of a, b: it was set back`,
  );
  await stack.must(["config", "set", "--stack", "dev", "arcflux:drift", "restore"]);
  expectCode(await stack.operate("up", ["--skip-preview", "--refresh"]), 0);
  expect(await test.repository.show("clusters/b/flux/x.yaml")).toContain(`interval: "20m"`);
  expect((await stack.operate("preview")).stdout).not.toContain("set back");
});

it("outputs are not listed as deleted where an update ends in an error", async () => {
  await test.person.commit("By hand", { "clusters/a/flux/y.yaml": "x: 1\n" });
  await stack.writeFleet(presentFleet({ a: ["x", "y"], b: ["x"] }));
  const up = await stack.operate("up", ["--skip-preview"]);
  expect(up.code).not.toBe(0);
  expect(up.stdout).toContain("clusters/a/flux/y.yaml");
  expect(up.stdout).not.toMatch(/^ +- /m);
});
