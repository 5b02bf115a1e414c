// @ts-check
import { svg, wordClass } from "./dom.js";

/**
 * @typedef {import("../pageData.ts").PageGraph} Graph
 * @typedef {import("../pageData.ts").PageCluster} Cluster
 */

const nodeBox = { width: 168, height: 44, x: 56, y: 14 };

/**
 * What the sets of a cluster need, drawn from left to right: what others wait for stands left of them. The table below it
 * says the same in words.
 *
 * @param {Graph} graph
 * @param {Cluster} cluster
 */
export function drawing(graph, cluster) {
  const level = levelsOf(graph);
  /** @type {Map<number, number>} */
  const filled = new Map();
  const places = new Map(
    graph.nodes.map(({ id }) => {
      const column = level.get(id) ?? 0;
      const row = filled.get(column) ?? 0;
      filled.set(column, row + 1);
      return [id, { x: 4 + column * (nodeBox.width + nodeBox.x), y: 4 + row * (nodeBox.height + nodeBox.y) }];
    }),
  );
  const width = 8 + (Math.max(0, ...filled.keys()) + 1) * (nodeBox.width + nodeBox.x) - nodeBox.x;
  const height = 8 + Math.max(1, ...filled.values()) * (nodeBox.height + nodeBox.y) - nodeBox.y;
  const words = new Map(cluster.sets.map(({ name, word }) => [`set/${name}`, word]));
  const edges = graph.edges.map(({ from, to, kind }) => {
    const [start, end] = [places.get(to), places.get(from)];
    if (!start || !end) return undefined;
    const [x1, y1, x2, y2] = [
      start.x + nodeBox.width,
      start.y + nodeBox.height / 2,
      end.x,
      end.y + nodeBox.height / 2,
    ];
    const bend = Math.max(24, (x2 - x1) / 2);
    return svg("path", {
      class: `edge ${kind}`,
      d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      "marker-end": "url(#arrow)",
    });
  });
  const nodes = graph.nodes.map(({ id, name, kind }) => {
    const place = /** @type {{ x: number, y: number }} */ (places.get(id));
    const word = words.get(id);
    const title = word === undefined ? kind : word;
    return svg(
      "g",
      {
        class: `node ${kind} ${word === undefined ? "" : wordClass(word)}`,
        transform: `translate(${place.x} ${place.y})`,
      },
      svg("title", {}, `${name}: ${title}`),
      svg("rect", { width: nodeBox.width, height: nodeBox.height, rx: 6 }),
      svg("text", { x: 10, y: 18 }, cut(name)),
      svg("text", { x: 10, y: 35, class: "kind" }, title),
    );
  });
  return svg(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": `What the sets of ${cluster.name} need; the table below says the same`,
    },
    svg(
      "defs",
      {},
      svg(
        "marker",
        {
          id: "arrow",
          viewBox: "0 0 8 8",
          refX: 7,
          refY: 4,
          markerWidth: 7,
          markerHeight: 7,
          orient: "auto",
        },
        svg("path", { d: "M0 0 L8 4 L0 8 z" }),
      ),
    ),
    ...edges,
    ...nodes,
  );
}

/**
 * How long the longest way of needs below each node is. What needs itself by a circle is at the end of the way that is
 * walked first: such a fleet file has errors, and a page still shows it.
 *
 * @param {Graph} graph
 */
function levelsOf({ nodes, edges }) {
  /** @type {Map<string, string[]>} */
  const needs = new Map();
  for (const { from, to } of edges) needs.set(from, [...(needs.get(from) ?? []), to]);
  /** @type {Map<string, number>} */
  const levels = new Map();
  const open = new Set();
  /** @param {string} id @returns {number} */
  const levelOf = (id) => {
    const known = levels.get(id);
    if (known !== undefined) return known;
    if (open.has(id)) return 0;
    open.add(id);
    const level = Math.max(0, ...(needs.get(id) ?? []).map((need) => levelOf(need) + 1));
    open.delete(id);
    levels.set(id, level);
    return level;
  };
  for (const { id } of nodes) levelOf(id);
  return levels;
}

/** @param {string} name */
function cut(name) {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}
