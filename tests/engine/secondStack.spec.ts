import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

describe("a second stack on the folder of another", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    const first = await LabStack.init(test.lab, "first", presentFleet({ edge: ["one", "two"] }));
    expectCode(await first.operate("up", ["--skip-preview"]), 0);
    // Two stacks cannot both make the same things in Azure; here only the repository matters.
    await rm(join(test.lab.dir, "azure"), { recursive: true });
  });
  afterAll(() => test.stop());

  it("takes nothing over, though it asks for one more set, and its end takes nothing away", async () => {
    const before = await test.repository.commits();
    const second = await LabStack.init(test.lab, "second", presentFleet({ edge: ["one", "two", "three"] }));
    const up = await second.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain("belongs to arcflux/first/edge");
    expectCode(await second.operate("destroy", ["--skip-preview"]), 0);
    expect(await test.repository.commits()).toEqual(before);
  });
});

describe("a stack that comes to the folder of another", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    const first = await LabStack.init(test.lab, "first", presentFleet({ edge: ["one", "two"] }));
    expectCode(await first.operate("up", ["--skip-preview"]), 0);
    await rm(join(test.lab.dir, "azure"), { recursive: true });
  });
  afterAll(() => test.stop());

  const refusedBy = async (stack: LabStack): Promise<void> => {
    const before = await test.repository.files();
    const up = await stack.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain("belongs to arcflux/first/edge");
    expect(await test.repository.files()).toEqual(before);
  };

  it("by moving its own there is refused, and keeps its old place", async () => {
    const second = await LabStack.init(test.lab, "moving", presentFleet({ store: ["one", "two"] }));
    expectCode(await second.operate("up", ["--skip-preview"]), 0);
    const fleet = presentFleet({ store: ["one", "two"] });
    await second.writeFleet(`${fleet}layout: { cluster: "clusters/edge" }\n`);
    await refusedBy(second);
  });

  it("by pull request is refused as well", async () => {
    const fleet = presentFleet({ edge: ["one", "two", "three"] });
    const byRequest = fleet.replace("repository:\n", "repository:\n  mode: pullRequest\n");
    await refusedBy(await LabStack.init(test.lab, "asking", byRequest));
  });
});

describe("a stack that is renamed", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("owns its folders by its state: the next update writes the new name, in preview too", async () => {
    const stack = await LabStack.init(test.lab, "before", presentFleet({ edge: ["one"] }));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const cwd = dirname(stack.configFile);
    await stack.must(["stack", "rename", "after", "--stack", "before", "--cwd", cwd]);
    await rename(join(cwd, "Pulumi.after.yaml"), stack.configFile);

    const up = expectCode(await stack.pulumi(["up", "--yes", "--stack", "after"]), 0);
    expect(up.stdout).not.toMatch(/created|deleted|replaced/);
    expect(await test.repository.show("clusters/edge/flux/.arcflux-inventory")).toContain(
      "owner arcflux/after/edge\n",
    );
  });
});

describe("a cluster that is renamed", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("is refused with the line to write, and keeps folder, resources and its name in Azure with that", async () => {
    const fleet = (name: string, more = ""): string =>
      `${presentFleet({ [name]: ["one"] })}layout: { cluster: "fixed/{site}" }\n`.replace(
        "    agents: present\n",
        `    agents: present\n${more}    attributes: { site: s1 }\n`,
      );
    const stack = await LabStack.init(test.lab, "renamed", fleet("edge"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await stack.writeFleet(fleet("store"));
    const refused = await stack.operate("up", ["--skip-preview"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("`formerly: ");

    await stack.writeFleet(fleet("store", "    formerly: edge\n"));
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(stdout).not.toMatch(/created|deleted|replaced/);
    expect(await test.repository.show("fixed/s1/flux/.arcflux-inventory")).toContain(
      "owner arcflux/renamed/store\n",
    );
    // Either says what Azure calls it; with neither, it would be another one there.
    await stack.writeFleet(fleet("store", "    arc: { name: edge }\n"));
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
    await stack.writeFleet(fleet("store"));
    const lost = await stack.operate("preview");
    expect(lost.code).not.toBe(0);
    expect(lost.stdout).toContain("Keep its name there with `arc: { name: edge }`");
  });
});
