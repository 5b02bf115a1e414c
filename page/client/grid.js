// @ts-check
import { addressWith, go } from "./address.js";
import { el, wordClass } from "./dom.js";

/**
 * @typedef {import("../pageData.ts").PageData} Data
 * @typedef {import("../pageData.ts").PageCluster} Cluster
 * @typedef {import("./filter.js").Filter} Filter
 */

/** What stands on a cell beside its colour. */
export const signs = /** @type {Record<string, string>} */ ({
  failing: "F",
  behind: "B",
  progressing: "…",
  "held back": "H",
  "waiting for promotion": "P",
  suspended: "S",
  "waiting for a window": "W",
  offline: "O",
  "not asked": "?",
  ready: "",
});

/** Cells with names take more room than a screen has for more of them. */
const mostNamed = 150;

/**
 * All clusters that a filter takes, grouped: a link each, coloured by state.
 *
 * @param {Data} data
 * @param {Filter} filter
 * @param {string} by `stage`, `state`, `source` or a label
 */
export function grid(data, filter, by) {
  const clusters = data.clusters.filter(filter.matches);
  /** @type {Map<string, Cluster[]>} */
  const groups = new Map();
  for (const cluster of clusters) {
    const key = keyOf(cluster, by, filter);
    const known = groups.get(key);
    if (known) known.push(cluster);
    else groups.set(key, [cluster]);
  }
  /** @type {readonly string[]} */
  const order = by === "stage" ? data.stages.map(({ name }) => name) : by === "state" ? data.words : [];
  const place = (/** @type {string} */ key) => order.indexOf(key) + 1 || order.length + 1;
  const sorted = [...groups].sort(
    ([one], [other]) => place(one) - place(other) || one.localeCompare(other, undefined, { numeric: true }),
  );
  const named = clusters.length <= mostNamed;
  const sections = sorted.map(([key, members], index) => {
    const id = `group-${index}`;
    return el(
      "section",
      { class: "group", "aria-labelledby": id },
      el("h2", { id }, key || `no ${by}`, " ", el("span", { class: "count" }, countText(members, filter))),
      el("ul", { class: named ? "cells named" : "cells" }, ...members.map((one) => cell(one, filter, named))),
    );
  });
  const all = el("div", { class: "grid", onkeydown: move }, ...sections);
  const [first] = all.querySelectorAll("a");
  first?.setAttribute("tabindex", "0");
  return { all, shown: clusters.length };
}

/**
 * @param {Cluster} cluster
 * @param {Filter} filter
 * @param {boolean} named
 */
function cell(cluster, filter, named) {
  const word = filter.wordOf(cluster);
  const label = `${cluster.name}: ${word}${cluster.idle === true ? ", idle" : ""}${cluster.reason === undefined ? "" : `, ${cluster.reason}`}`;
  return el(
    "li",
    {},
    el(
      "a",
      {
        class: `cell ${wordClass(word)}`,
        href: addressWith({ cluster: cluster.name }),
        title: label,
        "aria-label": label,
        tabindex: "-1",
      },
      named ? cluster.name : signs[word],
    ),
  );
}

/**
 * @param {Cluster} cluster
 * @param {string} by
 * @param {Filter} filter
 */
function keyOf(cluster, by, filter) {
  if (by === "stage") return cluster.stage ?? "";
  return by === "state" ? filter.wordOf(cluster) : (cluster.labels[by] ?? "");
}

/**
 * @param {readonly Cluster[]} members
 * @param {Filter} filter
 */
function countText(members, filter) {
  const ready = members.filter((one) => filter.wordOf(one) === "ready").length;
  return `${ready} of ${members.length} ready`;
}

/**
 * Arrow keys go from cell to cell, so that the whole grid is one stop of the Tab key.
 *
 * @param {KeyboardEvent} event
 */
function move(event) {
  const here = /** @type {HTMLElement} */ (event.target);
  if (!here.matches("a.cell")) return;
  const all = /** @type {HTMLElement[]} */ ([
    .../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("a.cell"),
  ]);
  const at = all.indexOf(here);
  /** @type {Record<string, () => number>} */
  const moves = {
    ArrowRight: () => at + 1,
    ArrowLeft: () => at - 1,
    Home: () => 0,
    End: () => all.length - 1,
    ArrowDown: () => below(all, at, 1),
    ArrowUp: () => below(all, at, -1),
  };
  const next = moves[event.key]?.();
  if (next === undefined || all[next] === undefined) return;
  event.preventDefault();
  here.setAttribute("tabindex", "-1");
  all[next].setAttribute("tabindex", "0");
  all[next].focus();
}

/**
 * The nearest cell of the next row.
 *
 * @param {readonly HTMLElement[]} all
 * @param {number} at
 * @param {1 | -1} step
 */
function below(all, at, step) {
  const from = all[at]?.getBoundingClientRect();
  if (from === undefined) return at;
  let best = at;
  let row = Number.NaN;
  let distance = Infinity;
  for (let index = at + step; index >= 0 && index < all.length; index += step) {
    const box = /** @type {HTMLElement} */ (all[index]).getBoundingClientRect();
    if (box.top === from.top) continue;
    if (Number.isNaN(row)) row = box.top;
    else if (box.top !== row) break;
    if (Math.abs(box.left - from.left) < distance) [best, distance] = [index, Math.abs(box.left - from.left)];
  }
  return best;
}

/**
 * The choice of what clusters are grouped by.
 *
 * @param {Data} data
 * @param {string} by
 */
export function groupChoice(data, by) {
  const keys = ["stage", "state", ...new Set(data.clusters.flatMap(({ labels }) => Object.keys(labels)))];
  return el(
    "select",
    { id: "by", onchange: (/** @type {any} */ event) => go({ by: event.target.value }) },
    ...keys.map((key) => el("option", { value: key, selected: key === by }, key)),
  );
}
