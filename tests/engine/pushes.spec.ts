import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

const clusters = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(2, "0")}`);

describe("many clusters in one update", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    const hook = join(test.lab.gitDir, "hooks", "pre-receive");
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(
      hook,
      `#!/bin/sh\nread old new ref\necho x >> '${test.lab.dir}/pushes'\n` +
        `if git diff --name-only $old $new | grep -q frozen; then echo "frozen until Monday" >&2; exit 1; fi\n`,
    );
    await chmod(hook, 0o755);
  });
  afterAll(() => test.stop());

  const pushes = async (): Promise<number> =>
    (await readFile(join(test.lab.dir, "pushes"), "utf8").catch(() => "")).split("\n").length - 1;

  // How many a push takes depends on how fast the engine hands them over: tests/git/gather.spec.ts counts on a clock of
  // its own, and `npm run bench -- git-pushes` measures.
  it.each(["64", "8"])("with --parallel %s share pushes, each of them one commit", async (parallel) => {
    const names = clusters(`p${parallel}`, 24);
    const stack = await LabStack.init(
      test.lab,
      `p${parallel}`,
      presentFleet(Object.fromEntries(names.map((name) => [name, ["one"]]))),
    );
    const before = [await pushes(), (await test.repository.commits()).length] as const;
    expectCode(await stack.operate("up", ["--skip-preview", "--parallel", parallel]), 0);
    const pushed = (await pushes()) - before[0];
    expect(pushed).toBeLessThan(24);
    expect((await test.repository.commits()).length - before[1]).toBe(pushed);
    const files = Object.keys(await test.repository.files());
    for (const name of names) expect(files).toContain(`clusters/${name}/flux/one.yaml`);
    // What the writers of one machine share is kept in the lab, not in the cache of this machine's user.
    expect(await readdir(join(test.lab.dir, "git-cache"))).toHaveLength(1);
  });

  it("one of which is refused: the others are done, and it is the only one that fails", async () => {
    const names = [...clusters("r", 5), "frozen"];
    const fleet = presentFleet(Object.fromEntries(names.map((name) => [name, ["one"]])));
    const stack = await LabStack.init(test.lab, "refused", fleet);
    const up = await stack.operate("up", ["--skip-preview", "--parallel", "64", "--continue-on-error"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain("frozen until Monday");
    const files = Object.keys(await test.repository.files());
    for (const name of clusters("r", 5)) expect(files).toContain(`clusters/${name}/flux/one.yaml`);
    expect(files.some((path) => path.includes("frozen"))).toBe(false);
  });
});
