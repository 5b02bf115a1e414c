import { describe, expect, it } from "vitest";
import { graphOf } from "../../flux/graph.ts";
import { graphPrinters } from "../../flux/graphPrinters/index.ts";
import { clusterOf, setOf, windowOf } from "./fixture.ts";

const cluster = clusterOf({
  sets: [
    setOf("infrastructure", { sourceRef: { kind: "GitRepository", name: "infra" } }),
    setOf("pos", {
      window: "nightly",
      dependsOn: [{ name: "infrastructure" }, { name: "mesh", namespace: "platform", external: true }],
    }),
  ],
  sources: [{ name: "infra", kind: "GitRepository", spec: {}, self: true }],
  windows: [windowOf("nightly"), windowOf("weekly")],
});

describe("the graph of a cluster", () => {
  it("has the sets, what they need, and nothing twice", () => {
    expect(graphOf(cluster)).toEqual({
      cluster: "edge-0",
      nodes: [
        {
          id: "external/Kustomization/platform/mesh",
          kind: "external",
          name: "mesh",
          objectKind: "Kustomization",
          namespace: "platform",
        },
        { id: "set/infrastructure", kind: "set", name: "infrastructure", objectKind: "Kustomization" },
        { id: "set/pos", kind: "set", name: "pos", objectKind: "Kustomization" },
        {
          id: "source/GitRepository/edge-config",
          kind: "repository",
          name: "edge-config",
          objectKind: "GitRepository",
        },
        { id: "source/GitRepository/infra", kind: "source", name: "infra", objectKind: "GitRepository" },
        { id: "window/nightly", kind: "window", name: "nightly" },
      ],
      edges: [
        { from: "set/infrastructure", to: "source/GitRepository/infra", kind: "source" },
        { from: "set/pos", to: "external/Kustomization/platform/mesh", kind: "dependsOn" },
        { from: "set/pos", to: "set/infrastructure", kind: "dependsOn" },
        { from: "set/pos", to: "source/GitRepository/edge-config", kind: "source" },
        { from: "set/pos", to: "window/nightly", kind: "window" },
      ],
    });
  });

  it("prints as Mermaid", () => {
    expect(graphPrinters.mermaid(graphOf(cluster))).toBe(`flowchart LR
  n0(["Kustomization platform/mesh (external)"])
  n1["infrastructure"]
  n2["pos"]
  n3[("GitRepository edge-config")]
  n4[("GitRepository infra")]
  n5{{"window nightly"}}
  n1 -.-> n4
  n2 --> n0
  n2 --> n1
  n2 -.-> n3
  n2 --- n5
`);
  });

  it("prints for Graphviz, quotes and backslashes kept out of the syntax", () => {
    expect(
      graphPrinters.dot({ cluster: 'a"b', nodes: [{ id: "set/x", kind: "set", name: "x\\n" }], edges: [] }),
    ).toBe(`digraph "a\\"b" {\n  rankdir=LR;\n  "set/x" [label="x\\\\n", shape=box];\n}\n`);
    expect(graphPrinters.dot(graphOf(cluster))).toContain(
      '  "set/pos" -> "window/nightly" [style=dotted];\n',
    );
  });

  it("keeps signs of a name out of the syntax of Mermaid", () => {
    const nodes = [{ id: "a", kind: "set", name: '"]; click' }] as const;
    expect(graphPrinters.mermaid({ cluster: "c", nodes, edges: [] })).toBe(
      'flowchart LR\n  n0["#34;#93;#59; click"]\n',
    );
  });

  it("prints as JSON that is the graph", () => {
    expect(JSON.parse(graphPrinters.json(graphOf(cluster)))).toEqual(graphOf(cluster));
  });
});
