import { spawn } from "node:child_process";
import { access, chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack, projectRoot } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";
import { eventually, processesWith } from "../support/processes.ts";

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe("an engine killed between the push and the save of its state", () => {
  let test: TestLab;
  let stack: LabStack;
  let hold: string;
  let pushed: string;

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    stack = await LabStack.init(test.lab, "crash", presentFleet({ edge: ["one"] }));
    hold = join(test.lab.dir, "hold");
    pushed = join(test.lab.dir, "pushed");
    // The server has taken the push and does not answer yet: the state cannot be saved.
    const hook = `#!/bin/sh\ntouch '${pushed}'\nwhile [ -e '${hold}' ]; do sleep 0.05; done\n`;
    const file = join(test.lab.gitDir, "hooks", "post-receive");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, hook);
    await chmod(file, 0o755);
  });
  afterAll(async () => {
    await rm(hold, { force: true });
    await test.stop();
  });

  /** Runs an update up to the moment after its push, and kills the engine there. */
  async function killAfterPush(): Promise<void> {
    await writeFile(hold, "");
    await rm(pushed, { force: true });
    const args = stack.commandLine(["up", "--yes", "--skip-preview", "--stack", stack.name]);
    const engine = spawn("pulumi", args, { cwd: projectRoot, env: test.env, stdio: "ignore" });
    const ended = new Promise((resolve) => engine.once("close", resolve));
    await eventually("the push arrives", () => exists(pushed), 60_000);
    engine.kill("SIGKILL");
    await ended;
    await eventually("the provider, its git and the program end", async () => {
      const left = await processesWith(stack.configFile.replace(/\/stacks\/.*/, ""));
      return !left.some(({ command }) => /provider\/main\.ts|cmd\/run|git push|language-host/.test(command));
    });
    await rm(hold);
  }

  it("in a first update: the next one finds the commit and makes no second", async () => {
    const before = await test.repository.commits();
    await killAfterPush();
    const [tip] = await test.repository.commits();

    const locked = await stack.operate("up", ["--skip-preview"]);
    expect(locked.code).not.toBe(0);
    expect(locked.stdout + locked.stderr).toContain("locked");
    expectCode(await stack.pulumi(["cancel", "--yes", "--stack", stack.name]), 0);

    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const commits = await test.repository.commits();
    expect(commits[0]).toBe(tip);
    expect(commits.length).toBe(before.length + 1);
    expect(Object.keys(await test.repository.files())).toContain("clusters/edge/flux/one.yaml");
  });

  it("the warning about a pending operation goes away as the README says", async () => {
    const warned = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(warned.stdout + warned.stderr).toContain("pending");
    expectCode(await stack.operate("refresh", ["--skip-preview", "--clear-pending-creates"]), 0);
    const quiet = expectCode(await stack.operate("up", ["--skip-preview", "--expect-no-changes"]), 0);
    expect(quiet.stdout + quiet.stderr).not.toContain("pending");
  });

  it("in a later update: nothing is lost and nothing is committed twice", async () => {
    const before = await test.repository.commits();
    await stack.writeFleet(presentFleet({ edge: ["one", "two"] }));
    await killAfterPush();
    expectCode(await stack.pulumi(["cancel", "--yes", "--stack", stack.name]), 0);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect((await test.repository.commits()).length).toBe(before.length + 1);
    expect(Object.keys(await test.repository.files())).toEqual(
      expect.arrayContaining(["clusters/edge/flux/one.yaml", "clusters/edge/flux/two.yaml"]),
    );
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });
});
