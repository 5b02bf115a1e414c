import { afterAll, beforeAll, expect, it } from "vitest";

import type { Ran } from "../../lab/run.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

// A folder that a cluster has left is still that cluster's, whatever the engine comes to first.

let test: TestLab;
beforeAll(async () => {
  test = await startTestLab();
});
afterAll(() => test.stop());

/** A program with a GitFiles for each cluster; they differ in whose file it is. */
const source = (folders: Readonly<Record<string, string>>, interval: string): string =>
  [
    `import { GitFiles } from "./provider/gitFiles.ts";`,
    `for (const [name, directory] of Object.entries(${JSON.stringify(folders)})) {`,
    `  new GitFiles(name, { repository: ${JSON.stringify(test.lab.repositoryUrl)}, branch: "main", directory,`,
    `    files: { "pos.yaml": "of: " + name + "\\ninterval: ${interval}\\n" }, message: "Update {directory}",`,
    `    author: { name: "Arcflux", email: "arcflux@example.com" } });`,
    `}`,
    ``,
  ].join("\n");
const up = (program: TestProgram, ...args: string[]): Promise<Ran> =>
  program.pulumi("up", "--yes", "--skip-preview", ...args);
const refused = (ran: Ran, words: string): void => {
  expect(ran.code).not.toBe(0);
  expect(ran.stdout + ran.stderr).toContain(words);
};

it("42 clusters: one that comes to where another has left is refused, with any parallelism, and the others go on", async () => {
  const others = Array.from({ length: 40 }, (_, index) => `edge-${String(index).padStart(2, "0")}`);
  const folders = Object.fromEntries([...others, "edge-a"].map((name) => [name, `stores/${name}`]));
  const program = await TestProgram.create(
    test.lab,
    "many",
    source({ ...folders, "edge-z": "stores/b" }, "1m"),
  );
  expectCode(await up(program), 0);
  await program.write(source({ ...folders, "edge-z": "stores/c" }, "1m"));
  expectCode(await up(program), 0);

  const came = { ...folders, "edge-z": "stores/c", "edge-a": "stores/b" };
  for (const [index, parallel] of [
    [],
    ["--parallel", "1"],
    ["--parallel", "2"],
    ["--parallel", "64"],
  ].entries()) {
    const interval = `${index + 2}m`;
    await program.write(source(came, interval));
    refused(await up(program, "--continue-on-error", ...parallel), "this folder belongs to many/test/edge-z");
    expect(await test.repository.show("stores/b/pos.yaml")).toBe("of: edge-z\ninterval: 1m\n");
    expect(await test.repository.show("stores/edge-39/pos.yaml")).toBe(
      `of: edge-39\ninterval: ${interval}\n`,
    );
  }
});

it("two stacks: one that comes to where the other has left is refused too", async () => {
  const north = await TestProgram.create(test.lab, "north", source({ one: "regions/p" }, "1m"));
  const south = await TestProgram.create(test.lab, "south", source({ two: "regions/q" }, "1m"));
  for (const program of [north, south]) expectCode(await up(program), 0);
  await north.write(source({ one: "regions/r" }, "1m"));
  expectCode(await up(north), 0);
  await south.write(source({ two: "regions/p" }, "1m"));
  refused(await up(south), "this folder belongs to north/test/one");
  expect(await test.repository.show("regions/p/pos.yaml")).toBe("of: one\ninterval: 1m\n");
});
