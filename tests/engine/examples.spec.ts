import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack, projectRoot } from "../../lab/stack.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";

const folder = join(projectRoot, "examples");
const examples = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const fleetOf = (name: string): string => readFileSync(join(folder, name, "fleet.yaml"), "utf8");

/** One stack for all: a preview makes nothing, so each finds what the first one found. */
describe("a preview with the policy pack, as the README has it", () => {
  let test: TestLab;
  let stack: LabStack;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    stack = await LabStack.init(test.lab, "examples", "");
  });
  afterAll(() => test.stop());

  it.each(examples.map(({ name }) => name))(
    "finds nothing wrong with the example %s",
    async (name) => {
      await stack.writeFleet(fleetOf(name));
      const { stdout } = expectCode(await stack.operate("preview", ["--policy-pack", "policy"]), 0);
      expect(stdout).not.toMatch(/mandatory|could not be read/);
      expect(stdout).toMatch(/Policies:\s+.*arcflux/);
    },
    180_000,
  );
});
