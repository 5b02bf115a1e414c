import { readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { makeAgeKeyPair } from "../../values/ageKey.ts";
import { openSecret } from "../secrets/open.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";

const sealingKey = "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=";

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

describe("a device that is replaced", () => {
  const fleet = (edge: string): string =>
    fleetOf({ "edge-0": "active" }).replace(
      "clusters:\n",
      `clusters:\n  edge-1: { ${edge}, sets: { pos: {} } }\n`,
    );
  let test: TestLab;
  let stack: LabStack;
  const json = async (...path: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(test.lab.dir, ...path), "utf8")) as Record<string, unknown>;
  const keyInAzure = async (): Promise<unknown> =>
    ((await json("azure", "rg-edge", "edge-1", "cluster.json"))["properties"] as Record<string, unknown>)[
      "agentPublicKeyCertificate"
    ];

  beforeAll(async () => {
    test = await startTestLab();
    stack = await LabStack.init(test.lab, "dev", fleet("kubeconfig: { context: edge-1 }"));
  });
  afterAll(() => test.stop());

  it("is refused where nothing says that the old one may be let go", async () => {
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await stack.writeFleet(fleet("hardware: 2, kubeconfig: { context: edge-1b }"));
    const preview = await stack.operate("preview");
    expect([preview.code === 0, preview.stdout + preview.stderr]).toEqual([
      false,
      expect.stringContaining("edge-1: the last update did not protect what is on the device"),
    ]);
  });

  it("is connected anew under its name with another key, and keeps its folder; the old one is asked nothing", async () => {
    await stack.must(["config", "set", "--stack", "dev", "arcflux:protect", "true"]);
    await stack.writeFleet(fleet("kubeconfig: { context: edge-1 }"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const before = await keyInAzure();
    const commits = await test.repository.commits();
    // The old device is gone. Azure, and Pulumi's provider, can ask it nothing.
    await writeFile(join(test.lab.dir, "unplugged.json"), JSON.stringify(["edge-1"]));
    await stack.writeFleet(fleet("hardware: 2, kubeconfig: { context: edge-1b }"));
    const preview = expectCode(await stack.operate("preview"), 0);
    expect(preview.stdout).toContain("edge-1: another device takes the place of the one before");
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(up.stdout).not.toMatch(/error|edge-0-/);

    expect(await keyInAzure()).not.toBe(before);
    expect((await json("azure", "rg-edge", "edge-1", "cluster.json"))["properties"]).toMatchObject({
      connectivityStatus: "Connected",
    });
    for (const child of ["extensions/flux.json", "fluxConfigurations/edge-config.json"])
      expect(existsSync(join(test.lab.dir, "azure", "rg-edge", "edge-1", child))).toBe(true);
    const release = ["azure-arc-release", "azure-arc.json"];
    expect(existsSync(join(test.lab.dir, "kubernetes", "edge-1b", ...release))).toBe(true);
    expect(await test.repository.commits()).toEqual(commits);
    // The next one protects it again, and changes nothing else.
    const next = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(next.stdout).not.toMatch(/replac|delet|creat/);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });

  it("leaves a key alone that others rotated in Azure, and counts no device back", async () => {
    const file = join(test.lab.dir, "azure", "rg-edge", "edge-1", "cluster.json");
    const other = (await json("azure", "rg-edge", "edge-0", "cluster.json"))["properties"] as object;
    const cluster = await json("azure", "rg-edge", "edge-1", "cluster.json");
    const agentPublicKeyCertificate = (other as Record<string, unknown>)["agentPublicKeyCertificate"];
    const properties = { ...(cluster["properties"] as object), agentPublicKeyCertificate };
    await writeFile(file, JSON.stringify({ ...cluster, properties }));
    expectCode(await stack.operate("refresh", ["--skip-preview"]), 0);
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect([up.stdout.includes("replac"), await keyInAzure()]).toEqual([false, agentPublicKeyCertificate]);

    await stack.writeFleet(fleet("kubeconfig: { context: edge-1b }"));
    const back = await stack.operate("preview");
    expect(back.stdout + back.stderr).toContain(
      "edge-1: hardware counts the devices of a name, and was higher before",
    );
  });
});

it("a device that is replaced has all its secrets by the same update, encrypted to its own key", async () => {
  const [old, fresh] = [makeAgeKeyPair(), makeAgeKeyPair()];
  const fleet = (edge: string) =>
    `${fleetOf({}, "secrets:\n  direct: { deliver: pulumi, namespace: pos, keys: { pin: { config: pin } } }\n  till: { namespace: pos, keys: { pin: { config: pin } } }\n")}  edge-1: { ${edge}, sets: { pos: {} } }\n`;
  const test = await startTestLab();
  try {
    const stack = await LabStack.init(
      test.lab,
      "dev",
      fleet(`kubeconfig: { context: edge-1 }, recipient: ${old.recipient}`),
    );
    await stack.must(["config", "set", "--stack", "dev", "--secret", "arcflux:pin", "4711"]);
    await stack.must(["config", "set", "--stack", "dev", "--secret", "arcflux:sealingKey", sealingKey]);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    // Counting devices makes nothing anew by itself.
    await stack.must(["config", "set", "--stack", "dev", "arcflux:protect", "true"]);
    expect(expectCode(await stack.operate("up", ["--skip-preview"]), 0).stdout).not.toMatch(/replac/);
    const direct = (context: string) =>
      join(test.lab.dir, "kubernetes", context, "pos", "secret.direct.json");
    const before = await readFile(direct("edge-1"), "utf8");
    const till = () => test.repository.show("clusters/edge-1/secrets/till.yaml");
    expect(openSecret(await till(), old.identity)).toEqual({ pin: "4711" });

    await writeFile(join(test.lab.dir, "unplugged.json"), JSON.stringify(["edge-1"]));
    await stack.writeFleet(
      fleet(`hardware: 2, kubeconfig: { context: edge-1b }, recipient: ${fresh.recipient}`),
    );
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(stdout).not.toMatch(/error/);
    expect(openSecret(await till(), fresh.identity)).toEqual({ pin: "4711" });
    const sealed = await till();
    expect(() => openSecret(sealed, old.identity)).toThrow();
    expect(JSON.parse(await readFile(direct("edge-1b"), "utf8"))).toMatchObject({
      metadata: { name: "direct", namespace: "pos" },
    });
    expect(await readFile(direct("edge-1"), "utf8")).toBe(before);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  } finally {
    await test.stop();
  }
});
