import type { Graph, GraphEdge, GraphNode } from "../graph.ts";
import { labelOf } from "./label.ts";

const shapes: Readonly<Record<GraphNode["kind"], string>> = {
  set: "box",
  source: "cylinder",
  repository: "cylinder",
  window: "hexagon",
  external: "ellipse",
};

const styles: Readonly<Record<GraphEdge["kind"], string>> = {
  dependsOn: "solid",
  source: "dashed",
  window: "dotted",
};

/** A digraph in the language of Graphviz. Ends with a line break. */
export function toDot(graph: Graph): string {
  const lines = [
    `digraph ${text(graph.cluster)} {`,
    "  rankdir=LR;",
    ...graph.nodes.map(
      (node) => `  ${text(node.id)} [label=${text(labelOf(node))}, shape=${shapes[node.kind]}];`,
    ),
    ...graph.edges.map(({ from, to, kind }) => `  ${text(from)} -> ${text(to)} [style=${styles[kind]}];`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

/** A quoted id: only the quote needs a backslash in it, but a backslash of the text would begin an escape in a label. */
function text(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
