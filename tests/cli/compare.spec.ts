import { describe, expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/shop/fleet.git }
arc: { resourceGroup: rg-shop, location: westeurope }
agents: present
layout: { cluster: "clusters/{environment}/{slot}" }
sets: { base: { path: ./base, idle: false }, shop: { path: ./apps/shop } }
groups:
  all: { match: { app: shop }, sets: { base: {}, shop: {}, own: {} } }
  idle: { match: { slot: green }, idle: true }
clusters:
  blue:
    labels: { app: shop, environment: staging, slot: blue }
    variables: { version: 2.4.1 }
    sets: { probe: { path: ./probe } }
  green:
    labels: { app: shop, environment: staging, slot: green }
    variables: { version: 2.4.2 }
  twin:
    labels: { app: shop, environment: other, slot: blue }
    variables: { version: 2.4.1 }
    sets: { probe: { path: ./probe } }
`;
const config = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { replicas: 3, template: { metadata: { labels: { version: "\${version}" } } } }
`;

describe("arcflux compare", () => {
  const { save, run } = workFolder();

  it("says what the fleet file and the generated files have differently, and nothing of folders and names", async () => {
    await save(fleet);
    const { code, out, err } = await run("compare blue green");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(`blue -> green
In the fleet file:
  sets.probe: only blue
  labels.slot: "blue" (fleet.yaml:12) -> "green" (fleet.yaml:16)
  variables.version: "2.4.1" (fleet.yaml:13) -> "2.4.2" (fleet.yaml:17)
  idle: (none) -> true (fleet.yaml:9)
In the generated files:
  flux/base.yaml: differs
      spec.postBuild.substitute.version: "2.4.1" -> "2.4.2"
  flux/own.yaml, flux/shop.yaml: differs
      spec.postBuild.substitute.version: "2.4.1" -> "2.4.2"
      spec.patches: (absent) -> [{"patch":"{ apiVersion: apps/v1, kind: Deployment, metadata: { name: idle },...
  flux/probe.yaml: only blue
`);
    const twin = await run("compare blue twin --json");
    expect(JSON.parse(twin.out)).toMatchObject({
      clusters: ["blue", "twin"],
      equal: false,
      values: [
        {
          path: "labels.environment",
          from: { value: "staging", line: 12 },
          to: { value: "other", line: 19 },
        },
      ],
      generated: [],
    });
    await save(
      fleet
        .replace("arc: { resourceGroup: rg-shop, location: westeurope }", "platform: kubernetes")
        .replace("agents: present\n", "")
        .replace(
          "  green:\n",
          "    kubeconfig: { context: prod-blue }\n  green:\n    kubeconfig: { context: pg }\n",
        )
        .replace("  twin:\n", "  twin:\n    kubeconfig: { context: twin }\n"),
    );
    expect((await run("compare blue green")).out).toContain(
      '\n  kubeconfig.context: "prod-blue" (fleet.yaml:14) -> "pg" (fleet.yaml:16)\n',
    );
    const same = await run("compare blue blue");
    expect([same.code, same.err]).toEqual([
      2,
      "The two are one cluster. Name another one to compare with.\n",
    ]);
  });

  it("builds both from a repository, and compares the files that others wrote", async () => {
    await save(fleet);
    const blue = "repo/clusters/staging/blue";
    await save(config("base"), "repo/base/base.yaml");
    await save(config("probe"), "repo/probe/probe.yaml");
    await save(deployment, "repo/apps/shop/web.yaml");
    for (const [slot, more] of [
      ["staging/blue", "a"],
      ["staging/green", "b"],
      ["other/blue", "a"],
    ] as const)
      await save(config(`own-${more}`), `repo/clusters/${slot}/sets/own/own.yaml`);
    await save("# of blue\n", `${blue}/NOTES.md`);
    const { code, out } = await run("compare blue green --repo repo");
    expect(code).toBe(0);
    const [, applied = "", own] =
      /On the clusters:\n([\s\S]*)In files of others:\n([\s\S]*)$/.exec(out) ?? [];
    expect(own).toBe("  NOTES.md: only blue\n  sets/own/own.yaml: differs\n");
    expect(applied).toContain(
      "  ~ Deployment shop/web (set shop, apps/shop/web.yaml), restarts\n      spec.replicas: 3 -> 0\n",
    );
    expect(applied).toContain(
      "  - ConfigMap shop/own-a (set own, clusters/staging/blue/sets/own/own.yaml)\n",
    );
    expect(applied).toContain(
      "  + ConfigMap shop/own-b (set own, clusters/staging/green/sets/own/own.yaml)\n",
    );
    expect(applied).toContain("  - Kustomization flux-system/probe");
    const twin = await run("compare blue twin --repo repo --json");
    expect((JSON.parse(twin.out) as { own: unknown }).own).toEqual([{ path: "NOTES.md", what: "first" }]);
  });
});
