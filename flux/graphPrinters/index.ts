import type { Graph } from "../graph.ts";
import { toDot } from "./dot.ts";
import { toGraphJson } from "./json.ts";
import { toMermaid } from "./mermaid.ts";

export const graphFormats = ["mermaid", "dot", "json"] as const;
export type GraphFormat = (typeof graphFormats)[number];

/** A printer for each format. Every one is deterministic and ends its text with a line break. */
export const graphPrinters: Readonly<Record<GraphFormat, (graph: Graph) => string>> = {
  mermaid: toMermaid,
  dot: toDot,
  json: toGraphJson,
};
