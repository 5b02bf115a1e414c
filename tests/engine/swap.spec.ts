import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { expectCode, startTestLab, type TestLab } from "../support/lab.ts";

/** One cluster with its store, by which its folder is named, and its set. */
interface Edge {
  readonly name: string;
  readonly store: string;
  readonly set: string;
}

const fleet = (...edges: readonly Edge[]): string =>
  [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    'layout: { cluster: "stores/{store}" }',
    "clusters:",
    ...edges.map(
      ({ name, store, set }) =>
        `  ${name}: { agents: present, attributes: { store: ${store} }, sets: { ${set}: { path: ./apps/${set} } } }`,
    ),
    "",
  ].join("\n");

describe.each([
  ["the same names", "pos", "pos"],
  ["names of their own", "pos", "web"],
])("clusters whose sets have %s", (_, one, two) => {
  let test: TestLab;
  let stack: LabStack;
  const a = (store: string): Edge => ({ name: "edge-a", store, set: one });
  const b = (store: string): Edge => ({ name: "edge-b", store, set: two });
  const up = (...args: string[]) => stack.operate("up", ["--continue-on-error", ...args]);
  const generated = async (): Promise<string[]> =>
    Object.keys(await test.repository.files()).filter((path) => path.startsWith("stores/"));
  /** What the output of the stack says of files that wait. */
  const waits = async (): Promise<Record<string, unknown>> => {
    const text = await stack.must(["stack", "output", "clusters", "--json", "--stack", stack.name]);
    const clusters = JSON.parse(text) as Record<string, { waiting?: unknown }>;
    return Object.fromEntries(
      Object.entries(clusters).flatMap(([name, { waiting }]) =>
        waiting === undefined ? [] : [[name, waiting]],
      ),
    );
  };
  const onMove = (...args: string[]) => stack.must(["config", ...args, "--stack", stack.name]);

  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    await test.person.commit("Apps", {
      "apps/pos/a.yaml": "kind: ConfigMap\n",
      "apps/web/a.yaml": "kind: ConfigMap\n",
    });
    stack = await LabStack.init(test.lab, "swap", fleet(a("a"), b("b")));
    expectCode(await up(), 0);
  }, 120_000);
  afterAll(() => test.stop());

  it.each([[["--parallel", "1"]], [[]]])(
    "cannot swap folders: the preview says so, and an update with %j writes nothing",
    async (args) => {
      const before = await test.repository.commits();
      await stack.writeFleet(fleet(a("b"), b("a")));
      const preview = await stack.operate("preview", args);
      const said = preview.stdout + preview.stderr;
      if (one === two) {
        expectCode(preview, 0);
        expect(said).toMatch(
          /An update stops here\. .*\n\s*stores\/b\/flux\/pos\.yaml is in a folder that is left by edge-b-files\n/,
        );
        expect(said).toMatch(/stores\/a\/flux\/pos\.yaml is in a folder that is left by edge-a-files\n/);
      } else {
        // What looks like sets that go stops the whole stack.
        expect(preview.code).not.toBe(0);
        expect(said).toMatch(/clusters\.edge-a: set web \(written for cluster edge-b\) goes away/);
        expect(said).toMatch(/clusters\.edge-b: set pos \(written for cluster edge-a\) goes away/);
      }
      const ran = await up("--skip-preview", ...args);
      expect(ran.code).not.toBe(0);
      expect(await test.repository.commits()).toEqual(before);
    },
    120_000,
  );

  it("can follow one another, with an update in between and the word that the first has followed", async () => {
    // With names of their own, both in one update look like sets that go.
    if (one !== two) await stack.writeFleet(fleet(a("a"), b("c")));
    if (one !== two) expectCode(await up(), 0);
    await stack.writeFleet(fleet(a("b"), b("c")));
    expect((await up()).code).not.toBe(0);
    const ends = [`stores/a/flux/${one}.yaml`, `stores/c/flux/${two}.yaml`];
    const waiting = one === two ? [...ends, `stores/b/flux/${two}.yaml`].sort() : ends;
    expect(await generated()).toEqual(waiting);
    if (one === two) expect(await waits()).toMatchObject({ "edge-b": ["stores/b/flux"] });
    // The other one may still be followed there, which a preview knows and no later try gets around.
    const preview = expectCode(await stack.operate("preview"), 0);
    expect(preview.stdout).toMatch(
      /An update stops here\. [^]* left by edge-b-files\n[^]*Move one at a time/,
    );
    expect((await up()).code).not.toBe(0);
    expect(await generated()).toEqual(waiting);

    await onMove("set", "arcflux:onMove", "finish");
    const finish = await up();
    expect(finish.code).not.toBe(0);
    expect(finish.stdout + finish.stderr).toMatch(/when this update has taken out what waits there, run/);
    expect(await generated()).toEqual(ends);
    expectCode(await up(), 0);
    await onMove("rm", "arcflux:onMove");
    expectCode(await stack.operate("preview", ["--expect-no-changes"]), 0);
    expect(await waits()).toEqual({});
    expect(await generated()).toEqual([`stores/b/flux/${one}.yaml`, `stores/c/flux/${two}.yaml`]);
  }, 240_000);
});
