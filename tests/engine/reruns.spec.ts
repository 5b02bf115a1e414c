import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, filesBelow, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

const fleet = presentFleet({ edge: ["one", "two"] });

describe("updates that have nothing to do", () => {
  let test: TestLab;
  let reruns: LabStack;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("ten reruns and another order of keys make no commit (B11)", async () => {
    const stack = await LabStack.init(test.lab, "reruns", fleet);
    reruns = stack;
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const before = await test.repository.commits();
    for (let run = 0; run < 10; run += 1) {
      expectCode(await stack.operate("up", ["--skip-preview", "--expect-no-changes"]), 0);
    }
    await stack.writeFleet(presentFleet({ edge: ["two", "one"] }));
    expectCode(await stack.operate("up", ["--skip-preview", "--expect-no-changes"]), 0);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("a stack that lost its state adopts the files it finds, without a commit (B09d)", async () => {
    const before = await test.repository.commits();
    // What is in Azure would need an import; here it is gone with the state, and only the repository is as it was.
    await rm(join(test.lab.dir, "azure"), { recursive: true });
    await reruns.must(["stack", "rm", "--force", "--yes", "--stack", "reruns"]);
    const stack = await LabStack.init(test.lab, "reruns", fleet);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(await test.repository.commits()).toEqual(before);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });

  it("another stack does not take over what a stack wrote, though it is the same", async () => {
    const before = await test.repository.commits();
    await rm(join(test.lab.dir, "azure"), { recursive: true });
    const stack = await LabStack.init(test.lab, "second", fleet);
    const up = await stack.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain("it belongs to arcflux/reruns/edge");
    await stack.operate("destroy", ["--skip-preview"]);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("a file that someone else wrote stops a stack that would overwrite it, and stays", async () => {
    const path = "clusters/other/flux/one.yaml";
    const commit = await test.person.commit("By hand", { [path]: "kind: Theirs\n" });
    const stack = await LabStack.init(test.lab, "foreign", presentFleet({ other: ["one"], fine: ["one"] }));
    const up = await stack.operate("up", ["--skip-preview", "--continue-on-error"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain(path);
    expect(await test.repository.show(path)).toBe("kind: Theirs\n");
    // The other cluster of the same update is not held up by it.
    expect(Object.keys(await test.repository.files())).toContain("clusters/fine/flux/one.yaml");
    expect(await test.repository.commits()).toContain(commit);
  });
});

describe("a user without any configuration of git (B13)", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("gets commits with the author of the fleet file", async () => {
    const home = join(test.lab.dir, "empty-home");
    await mkdir(home);
    const env = { ...test.env, HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
    const own = fleet.replace(
      "  url: https://git.example.com/edge/fleet.git",
      "  url: https://git.example.com/edge/fleet.git\n  commit: { name: Fleet Robot, email: robot@example.com }",
    );
    const stack = await LabStack.init({ dir: test.lab.dir, env }, "bare", own);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(await test.repository.git("log", "-1", "--format=%an <%ae> %cn <%ce>", "main")).toBe(
      "Fleet Robot <robot@example.com> Fleet Robot <robot@example.com>",
    );
  });
});

describe("a password in the URL of the repository (B12)", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  const password = "S3CR/T-pass";
  const forms = [password, encodeURIComponent(password), Buffer.from(password).toString("base64")];

  for (const command of ["preview", "up"]) {
    it(`is refused by ${command} and shown nowhere`, async () => {
      const env = {
        ...test.env,
        ARCFLUX_REPOSITORY_URL: `https://x-access-token:${encodeURIComponent(password)}@127.0.0.1:1/r.git`,
      };
      const stack = await LabStack.init({ dir: test.lab.dir, env }, `password-${command}`, fleet);
      const ran = await stack.operate(command);
      expect(ran.code).not.toBe(0);
      expect(ran.stdout + ran.stderr).toMatch(/repository\.url.*(credentials|password|user)/);
      const places = await filesBelow(test.lab.dir);
      for (const form of forms) {
        expect(ran.stdout + ran.stderr).not.toContain(form);
        for (const [path, bytes] of places)
          expect(bytes.includes(form), `${path} holds the password`).toBe(false);
      }
    });
  }
});
