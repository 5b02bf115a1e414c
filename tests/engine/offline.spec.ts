import { writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";

/** Stores that the stack connects, each reached by the context of its name. */
function fleetOf(stores: Readonly<Record<string, string>>, top = ""): string {
  const clusters = Object.entries(stores).map(
    ([name, lifecycle]) =>
      `  ${name}: { kubeconfig: { context: ${name} }, lifecycle: ${lifecycle}, sets: { pos: {}, base: { prune: false } } }`,
  );
  return `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
sets: { pos: { path: ./pos }, base: { path: ./base } }
${top}clusters:
${clusters.join("\n")}
`;
}

describe("one of three clusters that is off for good", () => {
  const all = { "edge-0": "active", "edge-1": "active", "edge-2": "active" };
  let test: TestLab;
  let stack: LabStack;
  const inAzure = (name: string): boolean => existsSync(join(test.lab.dir, "azure", "rg-edge", name));
  const inGit = async (): Promise<string[]> =>
    Object.keys(await test.repository.files()).filter((path) => path.startsWith("clusters/edge-1/"));

  beforeAll(async () => {
    test = await startTestLab();
    stack = await LabStack.init(test.lab, "dev", fleetOf(all));
    await stack.must(["config", "set", "--stack", "dev", "arcflux:protect", "true"]);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await writeFile(join(test.lab.dir, "unplugged.json"), JSON.stringify(["edge-1"]));
  });
  afterAll(() => test.stop());

  it("is passed over by a refresh, which ends well for the others", async () => {
    expectCode(await stack.operate("refresh", ["--skip-preview"]), 0);
    expectCode(await stack.operate("preview", ["--refresh", "--expect-no-changes"]), 0);
  });

  it("is told of, set by set, before it is retired, with the way for hardware that is gone", async () => {
    await stack.writeFleet(fleetOf({ ...all, "edge-1": "retired" }));
    const { stdout } = expectCode(await stack.operate("preview"), 0);
    expect(stdout).toContain(
      "edge-1 is retired: once it is dropped, Flux deletes there all that pos applied. What base applied stays.",
    );
    expect(stdout).toContain("lifecycle: lost");
  });

  it("goes as lost without being asked: its files, and all that Azure has of it", async () => {
    await stack.writeFleet(fleetOf({ ...all, "edge-1": "lost" }));
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(stdout).toMatch(/edge-1 is lost: .* nothing is deleted on the device/);
    expect([inAzure("edge-1"), (await inGit()).length > 0]).toEqual([true, true]);

    const rest = fleetOf({ "edge-0": "active", "edge-2": "active" });
    await stack.writeFleet(`${rest}\nremoved: [{ cluster: edge-1 }]\n`);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect([inAzure("edge-0"), inAzure("edge-1"), inAzure("edge-2")]).toEqual([true, false, true]);
    expect(await inGit()).toEqual([]);
    expectCode(await stack.operate("preview", ["--refresh", "--expect-no-changes"]), 0);
  });
});
