// @ts-check
import { address, addressWith, go } from "./address.js";
import { clusterView } from "./cluster.js";
import { badge, el, time, wordClass } from "./dom.js";
import { filterOf, toggled } from "./filter.js";
import { grid, groupChoice, signs } from "./grid.js";
import { commitsView, stagesView } from "./stages.js";

/** @typedef {import("../pageData.ts").PageData} Data */

/** @type {Data} */
let data = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent ?? "");
/** @type {readonly (readonly [string, string])[]} */
const views = [
  ["clusters", "Clusters"],
  ["stages", "Stages"],
  ["commits", "Commits"],
];
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("cluster"));
const box = /** @type {HTMLInputElement} */ (
  el("input", {
    id: "q",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "store-1, state:failing, set:pos, commit:4f2c, region=north",
    oninput: () => go({ q: box.value }, { keep: true }),
  })
);
const status = el("p", { id: "shown", role: "status" });

/** What is drawn, so that opening a cluster does not draw thousands of others again. */
let drawn = { data: /** @type {Data | undefined} */ (undefined), key: "" };

function show() {
  const { cluster, ...rest } = address();
  const key = JSON.stringify(rest);
  if (drawn.data !== data || drawn.key !== key) {
    drawn = { data, key };
    const { view, q, by, left, right } = rest;
    head.replaceChildren(...header(view));
    if (view === "stages") main.replaceChildren(...stagesView(data, left, right));
    else if (view === "commits") main.replaceChildren(...commitsView(data));
    else showClusters(q, by);
  }
  showCluster(cluster);
}

/**
 * @param {string} q
 * @param {string} by
 */
function showClusters(q, by) {
  const filter = filterOf(q);
  const { all, shown } = grid(data, filter, by);
  const focused = document.activeElement === box;
  // Whoever is typing is ahead of the address.
  if (!focused && box.value !== q) box.value = q;
  status.textContent = `${shown} of ${data.clusters.length} clusters`;
  const bar = el(
    "div",
    { class: "bar" },
    el("label", { for: "q" }, "Filter"),
    box,
    el("label", { for: "by" }, "Group by"),
    groupChoice(data, by),
    status,
  );
  const at = box.selectionStart;
  main.replaceChildren(states(q), bar, all);
  if (focused) {
    box.focus();
    box.setSelectionRange(at, at);
  }
}

/** @param {string} q */
function states(q) {
  const counts = new Map(data.words.map((word) => [word, 0]));
  for (const { word } of data.clusters) counts.set(word, (counts.get(word) ?? 0) + 1);
  const chosen = filterOf(q).state;
  return el(
    "div",
    { class: "states", role: "group", "aria-label": "States" },
    ...[...counts]
      .filter(([word, count]) => count > 0 || chosen.includes(word))
      .map(([word, count]) =>
        el(
          "button",
          {
            type: "button",
            class: `state ${wordClass(word)}`,
            "aria-pressed": chosen.includes(word) ? "true" : "false",
            onclick: () => go({ q: toggled(q, word) }),
          },
          signs[word] ? el("span", { class: "sign", "aria-hidden": "true" }, signs[word]) : undefined,
          `${word} ${count}`,
        ),
      ),
  );
}

/** @param {string} view */
function header(view) {
  return [
    el("h1", {}, "Fleet"),
    el(
      "nav",
      { "aria-label": "Views" },
      ...views.map(([key, name]) =>
        el(
          "a",
          {
            href: addressWith({ view: key, cluster: "" }),
            "aria-current": key === view ? "page" : undefined,
          },
          name,
        ),
      ),
    ),
    el("p", { class: "quiet" }, "As of ", time(data.asOf), `, ${data.repository}`),
    ...data.faults.map((fault) => el("p", { class: "fault", role: "alert" }, fault)),
  ];
}

/** The cluster that is open. */
let opened = { name: "", text: "" };

/** @param {string} name */
function showCluster(name) {
  const cluster = data.clusters.find((one) => one.name === name);
  if (cluster === undefined) {
    if (dialog.open) dialog.close();
    if (opened.name !== "" && name === "") focusCell(opened.name);
    opened = { name: "", text: "" };
    return;
  }
  // Newer data that says the same of it leaves the reader where they are.
  const text = JSON.stringify(cluster);
  if (opened.name === name && opened.text === text) return;
  const isOther = opened.name !== name;
  opened = { name, text };
  const close = el("button", { type: "button", class: "close", onclick: () => go({ cluster: "" }) }, "Close");
  dialog.replaceChildren(close, ...clusterView(data, cluster));
  if (!dialog.open) dialog.showModal();
  if (isOther) /** @type {HTMLElement} */ (dialog.querySelector("h2")).focus();
}

/** @param {string} name */
function focusCell(name) {
  const cell = /** @type {HTMLElement[]} */ ([...main.querySelectorAll("a.cell")]).find((one) =>
    one.getAttribute("aria-label")?.startsWith(`${name}: `),
  );
  cell?.focus();
}

dialog.addEventListener("close", () => {
  if (address().cluster !== "") go({ cluster: "" });
});
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const typing = /** @type {HTMLElement} */ (event.target).matches("input, select, textarea");
  if (event.key === "/" && !typing && !dialog.open && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.focus();
  }
});
show();

/** Served by `arcflux page --serve`, the page asks where it came from for newer data, and nobody else. */
const every = Number(document.documentElement.dataset["refresh"] ?? 0);
if (every > 0)
  setInterval(async () => {
    try {
      const answer = await fetch("data.json");
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      data = await answer.json();
      show();
    } catch (error) {
      const said = `Not refreshed since ${data.asOf}: ${/** @type {Error} */ (error).message}`;
      if (!head.textContent?.includes("Not refreshed"))
        head.append(el("p", { class: "fault", role: "alert" }, said, " ", badge("not asked")));
    }
  }, every * 1000);
