// @ts-check
import { badge, el, short, table, time } from "./dom.js";
import { drawing } from "./graph.js";

/**
 * @typedef {import("../pageData.ts").PageData} Data
 * @typedef {import("../pageData.ts").PageCluster} Cluster
 */

/**
 * Everything about one cluster.
 *
 * @param {Data} data
 * @param {Cluster} cluster
 */
export function clusterView(data, cluster) {
  const { name, word, idle, reason, since, stage, labels, runs, wanted, sets, windows, notes, others } =
    cluster;
  const graph = data.graphs[cluster.graph];
  const waiting = sets.filter((set) => set.word === "waiting for promotion");
  return [
    el("h2", { id: "cluster-name", tabindex: "-1" }, name, " ", badge(word), idle === true ? " idle" : ""),
    reason === undefined ? undefined : el("p", { class: "reason" }, reason),
    facts([
      ["Stage", stage],
      [
        "Labels",
        Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(", "),
      ],
      ["Follows", `${wanted.branch} ${short(wanted.commit)}`],
      ["Since", time(wanted.committedAt)],
      ["Runs", short(runs.sets ?? runs.bootstrap)],
      ["State since", time(since)],
      ["Pins", wanted.pins],
      ["Flux", cluster.flux],
      ["Told by", `${cluster.source}${cluster.asOf === undefined ? "" : ", "}`, time(cluster.asOf)],
      ["Fleet file", cluster.place],
    ]),
    ...notes.map(({ text, next }) => el("p", { class: "note" }, text, next === undefined ? "" : ` ${next}`)),
    graph === undefined || graph.nodes.length === 0
      ? undefined
      : el(
          "div",
          { class: "scroll", tabindex: "0", role: "group", "aria-label": "Graph of the sets" },
          drawing(graph, cluster),
        ),
    table(
      "Sets",
      ["Set", "State", "Why", "Runs", "Window", "Fleet file"],
      sets.map((set) => [
        set.name,
        badge(set.word),
        [set.reason, set.meaning, set.next].filter(Boolean).join(" "),
        set.revision ?? short(runs.sets),
        set.window ?? "",
        set.place ?? "",
      ]),
    ),
    others.length === 0
      ? undefined
      : table(
          "Other objects that are not ready",
          ["Object", "State", "Why"],
          others.map((one) => [`${one.kind} ${one.name}`, badge(one.word), one.reason ?? ""]),
        ),
    waiting.length === 0
      ? undefined
      : el("p", {}, `Waits for promotion: ${waiting.map((set) => set.name).join(", ")}.`),
    windows.length === 0
      ? undefined
      : table(
          "Windows",
          ["Window", "Now", "Until", "Zone"],
          windows.map((one) => [
            one.name,
            one.frozenUntil === undefined ? (one.open ? "open" : "shut") : `frozen until ${one.frozenUntil}`,
            time(one.until),
            one.timeZone,
          ]),
        ),
    data.record === undefined
      ? el("p", { class: "quiet" }, "No record of what ran: arcflux status --record keeps one.")
      : cluster.ran.length === 0
        ? el("p", { class: "quiet" }, `Nothing is recorded of it on ${data.record}.`)
        : table(
            "What ran",
            ["From", "Commit", "State"],
            cluster.ran.map((one) => [time(one.time), short(one.sets ?? one.fluxFolder), one.state]),
          ),
  ].filter((each) => each !== undefined);
}

/** @param {readonly (readonly [string, ...(Node | string | undefined)[]])[]} rows */
function facts(rows) {
  const stated = rows.filter(([, ...values]) => values.some((value) => value !== undefined && value !== ""));
  return el(
    "dl",
    {},
    ...stated.flatMap(([name, ...values]) => [
      el("dt", {}, name),
      el("dd", {}, ...values.filter((value) => value !== undefined)),
    ]),
  );
}
