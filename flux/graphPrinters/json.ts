import type { Graph } from "../graph.ts";

/** The graph itself, for other programs. Ends with a line break. */
export function toGraphJson(graph: Graph): string {
  return `${JSON.stringify(graph, null, 2)}\n`;
}
