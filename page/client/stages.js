// @ts-check
import { go } from "./address.js";
import { el, short, table, time } from "./dom.js";

/**
 * @typedef {import("../pageData.ts").PageData} Data
 * @typedef {import("../pageData.ts").PageStage} Stage
 */

/**
 * Two stages side by side: what differs in their sets and pins.
 *
 * @param {Data} data
 * @param {string} left
 * @param {string} right
 */
export function stagesView(data, left, right) {
  const [first, second] = data.stages;
  if (first === undefined || second === undefined)
    return [el("p", {}, "The fleet file has fewer than two stages, so there is nothing to compare.")];
  const one = data.stages.find(({ name }) => name === left) ?? first;
  const other =
    data.stages.find(({ name }) => name === right) ??
    data.stages.find(({ after }) => after === one.name) ??
    second;
  const rows = differences(one, other);
  return [
    el(
      "p",
      { class: "choice" },
      choice("left", "Compare", data, one.name),
      choice("right", "with", data, other.name),
    ),
    rows.length === 0
      ? el("p", {}, `${one.name} and ${other.name} have the same sets and pins.`)
      : table(`What differs between ${one.name} and ${other.name}`, ["What", one.name, other.name], rows),
  ];
}

/**
 * @param {"left" | "right"} side
 * @param {string} label
 * @param {Data} data
 * @param {string} value
 */
function choice(side, label, data, value) {
  return el(
    "label",
    {},
    `${label} `,
    el(
      "select",
      { id: side, onchange: (/** @type {any} */ event) => go({ [side]: event.target.value }) },
      ...data.stages.map(({ name }) => el("option", { value: name, selected: name === value }, name)),
    ),
  );
}

/**
 * @param {Stage} one
 * @param {Stage} other
 */
function differences(one, other) {
  const keys = [...new Set([...Object.keys(one.says), ...Object.keys(other.says)])].sort();
  return keys
    .filter((key) => one.says[key] !== other.says[key])
    .map((key) => [key, one.says[key] ?? "–", other.says[key] ?? "–"]);
}

/**
 * Which commit is where: the newest commits of all stages, and how many clusters of each stage run them.
 *
 * @param {Data} data
 */
export function commitsView(data) {
  const names = data.stages.map(({ name }) => name);
  const running = new Map(names.map((name) => [name, countsOf(data, name)]));
  const rows = data.commits.map((commit) => [
    el("code", {}, short(commit.id)),
    time(commit.time),
    commit.person,
    el("span", {}, commit.subject, commit.pullRequest === undefined ? "" : ` (${commit.pullRequest})`),
    ...names.map((name) => {
      const brought = commit.stages[name];
      const count = running.get(name)?.get(commit.id) ?? 0;
      if (brought === undefined && count === 0) return "";
      return el(
        "span",
        {},
        brought === undefined ? "" : `${brought.kind} `,
        brought === undefined ? "" : time(brought.time),
        count === 0 ? "" : ` · runs on ${count}`,
      );
    }),
  ]);
  return [
    data.commits.length === 0
      ? el("p", {}, "Git told of no commits on the branches that clusters follow.")
      : table("Which commit is where", ["Commit", "Made", "By", "What", ...names], rows),
  ];
}

/**
 * @param {Data} data
 * @param {string} stage
 */
function countsOf(data, stage) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const cluster of data.clusters) {
    const id = cluster.stage === stage ? (cluster.runs.sets ?? cluster.runs.bootstrap) : undefined;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
