import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, presentFleet, sampleFleet, startTestLab, type TestLab } from "../support/lab.ts";

/** What the engine says of a run: `{ create: 3, same: 1 }`. */
function summary(stdout: string): Record<string, number> {
  const lines = [...stdout.matchAll(/^ {4}[+~\-± ]* ?(\d+) (to )?(\w+|unchanged)/gm)];
  return Object.fromEntries(lines.map(([, count, , word]) => [word ?? "", Number(count)]));
}

describe("one cluster, from its first update to its last", () => {
  let test: TestLab;
  let stack: LabStack;
  const flux = "clusters/edge-device-0/flux";
  const withSet03 = `${sampleFleet}      set-03: {}\n`;

  beforeAll(async () => {
    test = await startTestLab();
    const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: base, namespace: default }\n";
    await test.person.commit("Base", { "infrastructure/base.yaml": map });
    stack = await LabStack.init(test.lab, "dev", sampleFleet);
  });
  afterAll(() => test.stop());

  it("a preview commits nothing and makes nothing", async () => {
    const before = await test.repository.commits();
    const { stdout } = expectCode(await stack.operate("preview"), 0);
    expect(summary(stdout)["create"]).toBeGreaterThan(5);
    expect(stdout).toMatch(
      /On the clusters, once they have the commit:\n\s+edge-device-0: 4 created, set-01, set-02 cannot be built\n/,
    );
    expect(stdout).not.toContain("Building what");
    expect(await test.repository.commits()).toEqual(before);
  });

  it("an update connects the cluster and makes one commit of its Flux objects", async () => {
    const before = await test.repository.commits();
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const commits = await test.repository.commits();
    expect(commits.length).toBe(before.length + 1);
    expect(await test.repository.changes(commits[0] ?? "")).toEqual(
      ["infrastructure", "set-01", "set-02"].map((set) => `A ${flux}/${set}.yaml`),
    );
  });

  it("the outputs name the Azure id, the folder, the commit and the bootstrap Kustomization", async () => {
    const text = await stack.must(["stack", "output", "--json", "--stack", stack.name]);
    const [tip] = await test.repository.commits();
    const { clusters } = JSON.parse(text) as { clusters: Record<string, Record<string, unknown>> };
    expect(clusters["edge-device-0"]).toEqual({
      arcId: expect.stringMatching(/^\/subscriptions\/.*\/connectedClusters\/edge-device-0$/) as string,
      folder: "clusters/edge-device-0",
      commit: tip,
      inventory: { folder: "clusters/edge-device-0/flux", owner: "arcflux/dev/edge-device-0", serial: 1 },
      bootstrap: "edge-config-bootstrap",
      arc: { agents: "install", location: "westeurope", tags: {} },
      device: { hardware: 1, isReplaceable: false },
      sent: expect.objectContaining({ at: expect.stringMatching(/^\d{4}-.*Z$/) as string }) as object,
      // The lab has no agents here, so nobody has reported yet.
      compliance: { state: "Pending" },
    });
  });

  it("with nothing to change a preview and an update do nothing", async () => {
    const before = await test.repository.commits();
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
    expectCode(await stack.operate("up", ["--skip-preview", "--expect-no-changes"]), 0);
    expect(await test.repository.commits()).toEqual(before);
  });

  it("a new set is one new file in one commit, and no other resource changes", async () => {
    const before = await test.repository.commits();
    await stack.writeFleet(withSet03);
    const { stdout } = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(summary(stdout)["updated"]).toBe(1);
    const commits = await test.repository.commits();
    expect(commits.length).toBe(before.length + 1);
    expect(await test.repository.changes(commits[0] ?? "")).toEqual([`A ${flux}/set-03.yaml`]);
  });

  it("without the build engine a preview warns, and an update of a running set stops", async () => {
    const before = await test.repository.commits();
    const without = (args: readonly string[]) =>
      stack.pulumi([...args, "--stack", stack.name], undefined, {
        ARCFLUX_CACHE_DIR: join(test.lab.dir, "none"),
      });
    await stack.writeFleet(withSet03.replace("set-03: {}", "set-03: { interval: 17m }"));
    const preview = expectCode(await without(["preview"]), 0);
    expect(preview.stdout).toMatch(
      /warning: .*what the sets apply was not judged\. .*`npm run setup`.* \[not-judged\]/,
    );
    const up = await without(["up", "--yes", "--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout).toMatch(
      /sets of edge-device-0 change, and what that does was not judged\. Nothing was changed\..*`npm run setup`/,
    );
    expect(await test.repository.commits()).toEqual(before);
    await stack.writeFleet(withSet03);
  });

  it("a refresh of an untouched repository finds nothing", async () => {
    const { stdout } = expectCode(await stack.operate("refresh", ["--skip-preview"]), 0);
    expect(summary(stdout)["updated"]).toBeUndefined();
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
  });

  it("after an update of intervals alone a refresh finds nothing either", async () => {
    const bootstrap = "bootstrap: { interval: 15m }\n";
    await stack.writeFleet(`${withSet03.replace("set-03: {}", "set-03: { interval: 17m }")}${bootstrap}`);
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    // The files in Git, the configuration in Azure.
    expect(summary(up.stdout)).toMatchObject({ updated: 2 });
    const { stdout } = expectCode(await stack.operate("refresh", ["--skip-preview"]), 0);
    expect(summary(stdout)["updated"]).toBeUndefined();
    expectCode(await stack.operate("preview", ["--refresh", "--expect-no-changes"]), 0);
    await stack.writeFleet(withSet03);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  });

  it("a refresh sees a hand edit, and the next update stops instead of overwriting it", async () => {
    const path = `${flux}/set-01.yaml`;
    const generated = await test.repository.show(path);
    const edited = await test.person.commit("Hotfix", { [path]: `${generated}# by hand\n` });
    expectCode(await stack.operate("refresh", ["--skip-preview"]), 0);
    const up = await stack.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toContain(path);
    expect((await test.repository.commits())[0]).toBe(edited);
    await test.person.commit("Take the hotfix back", { [path]: generated });
    expectCode(await stack.operate("up", ["--skip-preview", "--refresh"]), 0);
  });

  it("an unreachable repository fails a refresh and never counts as deleted", async () => {
    const export1 = await stack.must(["stack", "export", "--stack", stack.name]);
    const env = { https_proxy: "", GIT_CONFIG_COUNT: "1" };
    const moved = {
      ...env,
      GIT_CONFIG_KEY_0: "url.http://127.0.0.1:9/.insteadOf",
      GIT_CONFIG_VALUE_0: test.lab.repositoryUrl.replace(/fleet\.git$/, ""),
    };
    const refresh = await stack.pulumi(
      ["refresh", "--yes", "--skip-preview", "--stack", stack.name],
      undefined,
      moved,
    );
    expect(refresh.code).not.toBe(0);
    const export2 = await stack.must(["stack", "export", "--stack", stack.name]);
    const urns = (text: string): string[] =>
      (JSON.parse(text) as { deployment: { resources: { urn: string }[] } }).deployment.resources.map(
        (r) => r.urn,
      );
    expect(urns(export2).sort()).toEqual(urns(export1).sort());
  });

  it("destroy removes the cluster from Azure and only our files from the repository", async () => {
    await test.person.commit("Notes", {
      [`${flux}/NOTES.md`]: "hands off\n",
      "clusters/edge-device-0.yaml": "x: 1\n",
    });
    const before = await test.repository.files();
    expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
    const after = await test.repository.files();
    const generated = ["infrastructure", "set-01", "set-02", "set-03"].map((set) => `${flux}/${set}.yaml`);
    expect(Object.keys(after).sort()).toEqual(
      Object.keys(before)
        .filter((path) => !generated.includes(path))
        .sort(),
    );
  });
});

describe("a part of a fleet", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
  });
  afterAll(() => test.stop());

  it("is what arcflux:clusters names, and clusters that are present need no key, agents or provider", async () => {
    const stack = await LabStack.init(test.lab, "part", presentFleet({ a: ["x"], b: ["x"], c: ["x"] }));
    await stack.must(["config", "set", "--stack", "part", "arcflux:clusters", "a,c"]);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const paths = Object.keys(await test.repository.files()).filter((path) => path.startsWith("clusters/"));
    expect(paths).toEqual(["clusters/a/flux/x.yaml", "clusters/c/flux/x.yaml"]);
    const text = await stack.must(["stack", "export", "--stack", "part"]);
    expect(text).not.toMatch(/PrivateKey|ConnectedCluster"|helm\.sh|providers:kubernetes/);
  });

  it("is refused when it names a cluster that the fleet does not have", async () => {
    const stack = await LabStack.init(test.lab, "wrong", presentFleet({ a: ["x"] }));
    await stack.must(["config", "set", "--stack", "wrong", "arcflux:clusters", "a,nowhere"]);
    const preview = await stack.operate("preview");
    expect(preview.code).not.toBe(0);
    expect(preview.stdout + preview.stderr).toContain("nowhere");
  });

  it("stays when it is dropped from the fleet file, unless the stack says otherwise", async () => {
    const stack = await LabStack.init(test.lab, "kept", presentFleet({ d: ["x"], e: ["x"] }));
    await stack.must(["config", "set", "--stack", "kept", "arcflux:protect", "true"]);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const dropped = presentFleet({ d: ["x"] });
    await stack.writeFleet(dropped);
    const asked = await stack.operate("preview");
    expect(asked.code).not.toBe(0);
    expect(asked.stdout + asked.stderr).toMatch(
      /clusters\S*: cluster e is gone .*`removed: \[\{ cluster: e \}\]`/,
    );
    await stack.writeFleet(`${dropped}removed: [{ cluster: e }]\n`);
    const up = await stack.operate("up", ["--skip-preview"]);
    expect(up.code).not.toBe(0);
    expect(up.stdout + up.stderr).toMatch(/no longer among the clusters of this stack, and protected/);
    expect(up.stdout + up.stderr).toContain("lifecycle: retired");
    expect(up.stdout + up.stderr).not.toContain("`protect` flag");
    expect(Object.keys(await test.repository.files())).toContain("clusters/e/flux/x.yaml");
  });
});

describe("a fleet that grows from one cluster to two", () => {
  let test: TestLab;
  beforeAll(async () => {
    test = await startTestLab();
  });
  afterAll(() => test.stop());

  it("leaves the first cluster as it is, though it must name its context now", async () => {
    const stack = await LabStack.init(test.lab, "grows", sampleFleet);
    await stack.must(["config", "set", "--stack", "grows", "arcflux:protect", "true"]);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const two =
      sampleFleet.replace("  edge-device-0:\n", "  edge-device-0:\n    kubeconfig: { context: c0 }\n") +
      "  edge-device-1:\n    kubeconfig: { context: c1 }\n    sets: { infrastructure: {} }\n";
    await stack.writeFleet(two);
    const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(up.stdout).not.toMatch(/replac|delet/);
    expect(up.stdout).not.toMatch(/edge-device-0-(agents|connected|flux|configuration|files)/);
  });

  it("makes a simulated device, connects it and throws it away, with no credential in the state", async () => {
    const fleet = sampleFleet.replace(
      "  edge-device-0:\n",
      "  sim-0:\n    device: { address: 203.0.113.7/32 }\n",
    );
    const stack = await LabStack.init(test.lab, "simulated", fleet);
    expectCode(await stack.operate("preview"), 0);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
    expect(await readdir(join(test.lab.dir, "kubernetes"))).toContain("sim-0");
    const state = await stack.must(["stack", "export", "--stack", stack.name]);
    expect(state).toContain("compute:VirtualMachineRunCommandByVirtualMachine");
    expect(state).not.toMatch(/token-of-the-device|PRIVATE KEY/);
    await stack.writeFleet(fleet.replace("203.0.113.7/32", "203.0.113.8/32"));
    const moved = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    expect(summary(moved.stdout)).toMatchObject({ updated: 1 });
    await stack.writeFleet(fleet);
    expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
    expect(await readdir(join(test.lab.dir, "devices"))).toEqual([]);
    expect(await readdir(join(test.lab.dir, "azure"))).not.toContain("rg-edge-sim-0-device");
  });

  it("a stack config key that nothing reads is refused, with the one that was meant", async () => {
    const stack = await LabStack.init(test.lab, "misspelt", sampleFleet);
    await stack.must(["config", "set", "--stack", "misspelt", "arcflux:protct", "false"]);
    const preview = await stack.operate("preview");
    expect(preview.code).not.toBe(0);
    expect(preview.stdout + preview.stderr).toContain("Did you mean arcflux:protect?");
  });
});
