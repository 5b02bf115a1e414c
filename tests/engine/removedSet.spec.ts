import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

describe("a set that leaves the fleet file (A16)", () => {
  let test: TestLab;
  let stack: LabStack;
  const before = presentFleet({ edge: ["db", "web"], other: ["db"] });
  const dropped = presentFleet({ edge: ["web"], other: ["db"] });
  const file = "clusters/edge/flux/db.yaml";
  const warning =
    "set db goes away with prune: true, so Flux deletes everything that it applied on the cluster";

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    stack = await LabStack.init(test.lab, "removes", before);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  });
  afterAll(() => test.stop());

  /** Everything that a command could have changed. */
  const world = async () => [
    await test.repository.commits(),
    await test.repository.files(),
    // The state has the time of the last command, too.
    (
      JSON.parse(await stack.must(["stack", "export", "--stack", stack.name])) as {
        deployment: { resources: unknown };
      }
    ).deployment.resources,
  ];

  it("stops a preview and an update, also one without a preview, and nothing is written", async () => {
    await stack.writeFleet(dropped);
    const was = await world();
    for (const [command, ...args] of [["preview"], ["up"], ["up", "--skip-preview"]]) {
      const ran = await stack.operate(command!, args);
      expect(ran.code).not.toBe(0);
      const said = ran.stdout + ran.stderr;
      expect(said).toMatch(/fleet\.yaml:6:3: clusters\.edge: set db goes away/);
      expect(said).toContain("commit `deletionPolicy: Orphan`");
      expect(said).toContain("`removed: [edge/db]`");
      expect(await world()).toEqual(was);
    }
  });

  it("goes once the fleet file names it under removed, and a preview says what is deleted with it", async () => {
    await stack.writeFleet(`${dropped}removed: [edge/db]\n`);
    const preview = expectCode(await stack.operate("preview"), 0);
    expect(preview.stdout + preview.stderr).toContain(`warning: clusters.edge: ${warning}`);
    expect(preview.stdout + preview.stderr).toContain("`removed` says so");
    expect(Object.keys(await test.repository.files())).toContain(file);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(Object.keys(await test.repository.files())).not.toContain(file);
    expect(Object.keys(await test.repository.files())).toContain("clusters/other/flux/db.yaml");
  });

  it("stays gone; the entry is said to be taken out, and without it there is nothing to say", async () => {
    const says = async (text: string): Promise<string> => {
      await stack.writeFleet(text);
      const ran = expectCode(await stack.operate("up", ["--skip-preview", "--expect-no-changes"]), 0);
      return ran.stdout + ran.stderr;
    };
    expect(await says(`${dropped}removed: [edge/db]\n`)).toContain(
      "edge/db is gone everywhere: take the entry out",
    );
    expect(await says(dropped)).not.toMatch(/warning|removed/);
  });

  it("stays in Git by Orphan until its cluster is known to have that, or the removal is confirmed", async () => {
    const orphan = dropped.replace("web: {}", "web: { deletionPolicy: Orphan }\n      new: {}");
    await stack.writeFleet(orphan);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const gone = presentFleet({ edge: ["new"], other: ["db"] });
    await stack.writeFleet(gone);
    const first = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(first.stdout + first.stderr).toContain("set web stays in Git until an update after that");
    const kept = "clusters/edge/flux/web.yaml";
    expect(Object.keys(await test.repository.files())).toContain(kept);
    await stack.writeFleet(`${gone}removed: [edge/web]\n`);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(Object.keys(await test.repository.files())).not.toContain(kept);
  });
});
