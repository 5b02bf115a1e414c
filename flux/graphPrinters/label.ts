import type { GraphNode } from "../graph.ts";

/** What a node is called in a drawing. */
export function labelOf(node: GraphNode): string {
  const name = node.namespace === undefined ? node.name : `${node.namespace}/${node.name}`;
  switch (node.kind) {
    case "set":
      return node.suspended ? `${name} (suspended)` : name;
    case "source":
    case "repository":
      return `${node.objectKind ?? "source"} ${name}`;
    case "window":
      return `window ${name}`;
    case "external":
      return `${node.objectKind ?? ""} ${name} (external)`;
    default:
      return node.kind satisfies never;
  }
}
