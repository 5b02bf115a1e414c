import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

describe("five stacks and a person write to one branch at the same time (B01)", () => {
  let test: TestLab;
  const names = ["s1", "s2", "s3", "s4", "s5"];

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("every commit lands in a linear history and none is lost", async () => {
    const before = (await test.repository.commits()).length;
    const stacks = await Promise.all(
      names.map((name) => LabStack.init(test.lab, name, presentFleet({ [`edge-${name}`]: ["one"] }))),
    );
    const runs = stacks.map((stack) => stack.operate("up", ["--skip-preview"]));
    const person = (async () => {
      for (const round of [1, 2, 3]) await pushUntilItLands(round);
    })();
    for (const ran of await Promise.all(runs)) expectCode(ran, 0);
    await person;

    const files = Object.keys(await test.repository.files());
    for (const name of names) expect(files).toContain(`clusters/edge-${name}/flux/one.yaml`);
    for (const round of [1, 2, 3]) expect(files).toContain(`notes/${round}.md`);
    expect((await test.repository.commits()).length).toBe(before + names.length + 3);
    expect(await test.repository.git("rev-list", "--merges", "main")).toBe("");
  });

  /** A person whose push loses a race tries again, as people do. */
  async function pushUntilItLands(round: number): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        await test.person.commit(`Note ${round}`, { [`notes/${round}.md`]: "a note\n" });
        return;
      } catch (error) {
        if (attempt === 19) throw error;
      }
    }
  }
});
