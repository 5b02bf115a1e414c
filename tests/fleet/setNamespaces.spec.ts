import { load as parse } from "js-yaml";
import { describe, expect, it } from "vitest";
import { graphOf } from "../../flux/graph.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

const open = "flux: { lockdown: false }";
const cluster = `sets:
      shop: { namespace: apps, dependsOn: [database, web] }
      web: { namespace: apps }
      database: {}
      watch: { dependsOn: [shop, { name: shop, namespace: other, external: true }] }`;

describe("a set in a namespace of its own", () => {
  const fleet = mustLoad(fleetText({ top: open, cluster }));
  const files = renderClusterFolder(fleet.clusters[0]!, fleet);
  const objectOf = (name: string) =>
    parse(files[`flux/${name}.yaml`]!) as { metadata: object; spec: Record<string, unknown> };

  it("is rendered there, refers to flux-system by name, and finds its namespace made and never taken away", () => {
    expect(objectOf("shop").metadata).toEqual({ name: "shop", namespace: "apps" });
    expect(objectOf("shop").spec["sourceRef"]).toEqual({
      kind: "GitRepository",
      name: "edge-config",
      namespace: "flux-system",
    });
    expect(objectOf("shop").spec["dependsOn"]).toEqual([
      { name: "database", namespace: "flux-system" },
      { name: "web", namespace: "apps" },
    ]);
    expect(objectOf("watch").spec["dependsOn"]).toEqual([
      { name: "shop", namespace: "apps" },
      { name: "shop", namespace: "other" },
    ]);
    expect(objectOf("database").spec["sourceRef"]).toEqual({ kind: "GitRepository", name: "edge-config" });
    expect(parse(files["flux/namespaces.yaml"]!)).toEqual({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: "apps",
        annotations: {
          "kustomize.toolkit.fluxcd.io/prune": "disabled",
          "kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent",
        },
      },
    });
  });

  it("stands in the graph as the set that others wait for", () => {
    const edges = graphOf(fleet.clusters[0]!).edges.filter(({ kind }) => kind === "dependsOn");
    expect(edges.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      "set/shop -> set/database",
      "set/shop -> set/web",
      "set/watch -> external/Kustomization/other/shop",
      "set/watch -> set/shop",
    ]);
  });

  it("may be what a cluster does with all of its sets", () => {
    const [all] = mustLoad(
      fleetText({ top: open, cluster: "defaults: { namespace: apps }, sets: { web: {} }" }).replace(
        "defaults: { namespace: apps }, sets",
        "defaults: { namespace: apps }\n    sets",
      ),
    ).clusters;
    expect(all!.sets.map(({ namespace }) => namespace)).toEqual(["apps"]);
  });
});

describe("is refused", () => {
  it.each([
    [
      "a loop across namespaces",
      open,
      "a: { namespace: x, dependsOn: [b] }, b: { dependsOn: [a] }",
      "closes the loop a -> b -> a",
    ],
    [
      "the fleet's repository under lockdown, and no account",
      "",
      "a: { namespace: apps }",
      "sets.a.namespace: is apps, and with flux.lockdown Flux refuses what the set takes from another one (flux-system/edge-config)",
    ],
    [
      "no account under lockdown",
      "",
      "a: { namespace: apps }",
      "where flux.lockdown has no account to apply the set as",
    ],
    [
      "a set in the way of the file of namespaces",
      open,
      "a: { namespace: apps }, namespaces: {}",
      "sets.namespaces: namespaces.yaml holds the namespaces of sets outside flux-system",
    ],
    [
      "a wait for a set of that name in another namespace",
      open,
      "a: { namespace: apps }, b: { dependsOn: [{ name: a, namespace: other }] }",
      'depends on "a" in the namespace "other", where no set is',
    ],
  ])("%s", (_, top, sets, expected) => {
    expect(findingsOf(fleetText({ top, cluster: `sets: { ${sets} }` }))).toContainEqual(
      expect.stringContaining(expected),
    );
  });

  it("nothing of a set that takes all from its own namespace under lockdown", () => {
    const sets =
      "a: { namespace: apps, serviceAccountName: apps, sourceRef: { kind: GitRepository, name: apps, namespace: apps } }";
    expect(findingsOf(fleetText({ cluster: `sets: { ${sets} }` }))).toEqual([]);
  });
});
