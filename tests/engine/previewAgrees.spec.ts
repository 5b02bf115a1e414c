import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";

let test: TestLab;
beforeAll(async () => {
  test = await startTestLab({ assumeClusters: true });
});
afterAll(() => test.stop());

const config = (stack: LabStack, ...args: string[]): Promise<string> =>
  stack.must(["config", ...args, "--stack", stack.name]);

describe("a file of someone else at one cluster", () => {
  const path = "clusters/taken/flux/one.yaml";
  const fleet = presentFleet({ taken: ["one"], free: ["one"] });
  let stack: LabStack;
  beforeAll(async () => {
    await test.person.commit("By hand", { [path]: "kind: Theirs\n" });
    stack = await LabStack.init(test.lab, "taken", fleet);
  });

  it("is a warning of the preview, and stops the update of that cluster alone", async () => {
    const preview = expectCode(await stack.operate("preview"), 0);
    expect(preview.stdout).toContain(
      `warning: clusters.taken.sets.one: ${path} is a file that was not generated`,
    );
    const up = await stack.operate("up", ["--continue-on-error"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain(`${path}: it is there already`);
    const files = Object.keys(await test.repository.files());
    expect(files).toContain("clusters/free/flux/one.yaml");
    expect(await test.repository.show(path)).toBe("kind: Theirs\n");
  });

  it("is written over with arcflux:adopt overwrite, through the preview that goes before", async () => {
    await config(stack, "set", "arcflux:adopt", "overwrite");
    const up = expectCode(await stack.operate("up"), 0);
    expect(up.stdout).not.toContain("was not generated");
    expect(await test.repository.show(path)).toContain("kind: Kustomization\n");
  });

  it("with a hand edit that took our comment away is put back with arcflux:drift restore", async () => {
    await config(stack, "rm", "arcflux:adopt");
    const ours = await test.repository.show(path);
    await test.person.commit("INC-7", { [path]: ours.replace(/^#.*\n/, "").replace("10m", "99m") });
    const warned = expectCode(await stack.operate("preview", ["--refresh"]), 0);
    expect(warned.stdout).toContain("arcflux:drift restore");
    await config(stack, "set", "arcflux:drift", "restore");
    const up = expectCode(await stack.operate("up", ["--refresh"]), 0);
    expect(up.stdout).not.toContain("was not generated");
    expect(await test.repository.show(path)).toBe(ours);
  });
});

describe("a hand-written file of the same meaning", () => {
  it("is taken over as it is by an update with its preview, without a warning", async () => {
    const path = "clusters/alike/flux/one.yaml";
    const byHand = [
      "kind: Kustomization",
      "apiVersion: kustomize.toolkit.fluxcd.io/v1",
      "metadata: { namespace: flux-system, name: one }",
      "spec:",
      "  path: ./clusters/alike/sets/one",
      "  interval: 600s",
      "  retryInterval: 2m0s",
      "  timeout: 300s",
      "  prune: true",
      "  wait: true",
      "  sourceRef: { name: edge-config, kind: GitRepository }",
      "",
    ].join("\n");
    await test.person.commit("By hand", { [path]: byHand });
    const stack = await LabStack.init(test.lab, "alike", presentFleet({ alike: ["one"] }));
    const up = expectCode(await stack.operate("up"), 0);
    expect(up.stdout).not.toContain("was not generated");
    expect(await test.repository.show(path)).toBe(byHand);
  });
});

describe("a branch that is not there", () => {
  const inAzure = (): string[] => {
    const folder = join(test.lab.dir, "azure");
    return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : [];
  };

  it.each([
    ["preview", []],
    ["up", []],
    ["up", ["--skip-preview"]],
  ] as [string, string[]][])("ends %s %j with nothing made in Azure", async (command, args) => {
    const fleet = presentFleet({ lost: ["one"] }).replace("fleet.git\n", "fleet.git\n  branch: mian\n");
    const stack = await LabStack.init(test.lab, `lost-${command}${args.length}`, fleet);
    const before = inAzure();
    const ran = await stack.operate(command, args);
    expect(ran.code).not.toBe(0);
    expect(ran.stdout + ran.stderr).toMatch(/fleet\.yaml:4:11: repository\.branch: .* has no branch mian/);
    expect(inAzure()).toEqual(before);
  });
});
