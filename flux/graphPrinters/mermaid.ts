import type { Graph, GraphEdge, GraphNode } from "../graph.ts";
import { labelOf } from "./label.ts";

/** Signs that Mermaid reads as its own in a label, even a quoted one; written as its numeric entities. */
const special = /[^\p{L}\p{N} ._/()-]/gu;

/** A Mermaid flowchart, which GitHub, GitLab and Azure DevOps draw in Markdown. Ends with a line break. */
export function toMermaid(graph: Graph): string {
  const ids = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    "flowchart LR",
    ...graph.nodes.map((node) => `  ${ids.get(node.id)!}${shape(node)}`),
    ...graph.edges.map((edge) => `  ${ids.get(edge.from)!} ${arrow(edge)} ${ids.get(edge.to)!}`),
  ];
  return `${lines.join("\n")}\n`;
}

function shape(node: GraphNode): string {
  const label = `"${labelOf(node).replace(special, (sign) => `#${sign.codePointAt(0)!};`)}"`;
  switch (node.kind) {
    case "set":
      return `[${label}]`;
    case "source":
    case "repository":
      return `[(${label})]`;
    case "window":
      return `{{${label}}}`;
    case "external":
      return `([${label}])`;
    default:
      return node.kind satisfies never;
  }
}

function arrow({ kind }: GraphEdge): string {
  switch (kind) {
    case "dependsOn":
      return "-->";
    case "source":
      return "-.->";
    case "window":
      return "---";
    default:
      return kind satisfies never;
  }
}
