import { cp, rename } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { BareGit } from "../../lab/bareGit.ts";
import { LabStack, type StackHome } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

describe("the address of the repository", () => {
  let test: TestLab;
  let stack: LabStack;
  const file = "clusters/edge/flux/one.yaml";
  const at = (url: string): StackHome => ({
    dir: test.lab.dir,
    env: { ...test.env, ARCFLUX_REPOSITORY_URL: url },
  });
  const up = (url: string, env: NodeJS.ProcessEnv = {}) =>
    stack.pulumi(["up", "--yes", "--skip-preview", "--stack", stack.name], undefined, {
      ...at(url).env,
      ...env,
    });

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    stack = await LabStack.init(test.lab, "moves", presentFleet({ edge: ["one"] }));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  });
  afterAll(() => test.stop());

  it("stays, and a changed field is one changed file", async () => {
    await stack.writeFleet(presentFleet({ edge: ["one"] }).replace("one: {}", "one: { interval: 40m }"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const [tip = ""] = await test.repository.commits();
    expect(await test.repository.changes(tip)).toEqual([`M ${file}`]);
  });

  it("written another way loses no file", async () => {
    const before = await test.repository.commits();
    const other = test.lab.repositoryUrl.replace("127.0.0.1", "localhost");
    expect(expectCode(await up(other), 1).stdout).toContain("the token would go to another host");
    expectCode(await up(other, { ARCFLUX_GIT_TOKEN_HOST: new URL(other).host }), 0);
    expect(Object.keys(await test.repository.files())).toContain(file);
    expect(await test.repository.commits()).toEqual(before);
    expectCode(
      await up(test.lab.repositoryUrl, { ARCFLUX_GIT_TOKEN_HOST: new URL(test.lab.repositoryUrl).host }),
      0,
    );
    expectCode(await up(test.lab.repositoryUrl.replace(/\.git$/, "")), 0);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("may change when the old repository is gone for good", async () => {
    const other = join(test.lab.dir, "git", "other.git");
    await cp(test.lab.gitDir, other, { recursive: true });
    await rename(test.lab.gitDir, join(test.lab.dir, "git", "gone.git"));
    const url = test.lab.repositoryUrl.replace("fleet.git", "other.git");
    const moved = expectCode(await up(url), 0);
    expect(moved.stdout).toContain("the files are in their new place");
    expect(Object.keys(await new BareGit(other).files())).toContain(file);
    expectCode(await up(url), 0);
  });
});
