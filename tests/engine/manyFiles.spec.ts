import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

let test: TestLab;
let program: TestProgram;
const directory = "clusters/many";
beforeAll(async () => {
  test = await startTestLab();
  program = await TestProgram.create(test.lab, "many", source({}));
});
afterAll(() => test.stop());

type Files = Readonly<Record<string, string>>;

const source = (files: Files): string =>
  Object.keys(files).length === 0
    ? "export const nothing = 0;\n"
    : [
        `import { GitFiles } from "./provider/gitFiles.ts";`,
        `new GitFiles("many", { repository: ${JSON.stringify(test.lab.repositoryUrl)}, branch: "main",`,
        `  directory: ${JSON.stringify(directory)}, files: ${JSON.stringify(files)}, message: "Update",`,
        `  author: { name: "Arcflux", email: "arcflux@example.com" } });`,
        "",
      ].join("\n");

const sets = (from: number, to: number, interval: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, index) => [
      `set-${String(from + index).padStart(2, "0")}.yaml`,
      `kind: Kustomization\nspec:\n  interval: ${interval}\n  path: ./${from + index}\n`,
    ]),
  );

/** What the state says is there: path below the directory to blob. */
async function inState(): Promise<Record<string, string>> {
  const { stdout } = expectCode(await program.pulumi("stack", "export"), 0);
  const { deployment } = JSON.parse(stdout) as {
    deployment: { resources?: { type: string; outputs?: { blobs?: Record<string, string> } }[] };
  };
  const found = deployment.resources?.find(({ type }) => type.includes("GitFiles"));
  return found?.outputs?.blobs ?? {};
}

async function onBranch(): Promise<Record<string, string>> {
  const files = Object.entries(await test.repository.files());
  return Object.fromEntries(
    files
      .filter(([path]) => path.startsWith(`${directory}/`))
      .map(([path, blob]) => [path.slice(directory.length + 1), blob]),
  );
}

/** Letters and counts of what the newest commit did. */
async function lastChanges(): Promise<Record<string, number>> {
  const [commit = ""] = await test.repository.commits();
  const counts: Record<string, number> = {};
  for (const [letter = ""] of await test.repository.changes(commit))
    counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
}

const up = async (files: Files): Promise<number> => {
  await program.write(source(files));
  return (await program.pulumi("up", "--yes", "--skip-preview")).code;
};

it("B02: 60 files are one commit, and so are 40 changed, 10 removed and 10 new ones; the state is what the branch holds", async () => {
  const before = (await test.repository.commits()).length;
  expect(await up(sets(0, 60, "10m"))).toBe(0);
  expect(await test.repository.commits()).toHaveLength(before + 1);
  expect(await lastChanges()).toEqual({ A: 60 });
  expect(Object.keys(await inState())).toHaveLength(60);
  expect(await inState()).toEqual(await onBranch());

  const next = { ...sets(10, 50, "20m"), ...sets(50, 60, "10m"), ...sets(60, 70, "10m") };
  expect(await up(next)).toBe(0);
  expect(await test.repository.commits()).toHaveLength(before + 2);
  expect(await lastChanges()).toEqual({ A: 10, D: 10, M: 40 });
  expect(Object.keys(await inState()).sort()).toEqual(Object.keys(next).sort());
  expect(await inState()).toEqual(await onBranch());
});

it("B02, B08: where the server refuses one of the files none is written, and a delete that is refused fails; state and branch stay as they are", async () => {
  const hook = join(test.lab.gitDir, "hooks", "pre-receive");
  await mkdir(dirname(hook), { recursive: true });
  await writeFile(hook, `#!/bin/sh\necho "frozen until Monday" >&2; exit 1\n`);
  await chmod(hook, 0o755);
  const [branch, state] = [await onBranch(), await inState()];
  expect(await up(sets(0, 70, "30m"))).not.toBe(0);
  expect(await onBranch()).toEqual(branch);
  expect(await inState()).toEqual(state);
  expect(await up({})).not.toBe(0);
  expect(await onBranch()).toEqual(branch);
  expect(await inState()).toEqual(state);

  await rm(hook);
  expect(await up({})).toBe(0);
  expect(await onBranch()).toEqual({});
  expect(await inState()).toEqual({});
});
