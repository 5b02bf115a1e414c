// @ts-check

/**
 * An element. Children are elements or text: values of a fleet are never markup. `on…` listens; undefined and false leave
 * an attribute out.
 *
 * @param {string} name
 * @param {Record<string, string | number | boolean | undefined | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElement}
 */
export function el(name, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(name), attributes, children));
}

/**
 * The same for drawings.
 *
 * @param {string} name
 * @param {Record<string, string | number | undefined>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  return /** @type {SVGElement} */ (filled(element, attributes, children));
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 * @param {readonly (Node | string | undefined)[]} children
 */
function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/**
 * A table with a caption that says what it is.
 *
 * @param {string} caption
 * @param {readonly string[]} heads
 * @param {readonly (readonly (Node | string | undefined)[])[]} rows
 */
export function table(caption, heads, rows) {
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...cells]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...cells.map((cell) => el("td", {}, cell))),
      ),
    ),
  );
}

/**
 * A state as a coloured word.
 *
 * @param {string} word
 */
export function badge(word) {
  return el("span", { class: `badge ${wordClass(word)}` }, word);
}

/** @param {string} word */
export function wordClass(word) {
  return `w-${word.replaceAll(" ", "-")}`;
}

/**
 * A time as people of the reader's zone write it, exact for machines.
 *
 * @param {string | undefined} iso
 */
export function time(iso) {
  if (iso === undefined || iso === "") return "";
  const date = new Date(iso);
  const text = Number.isNaN(date.getTime())
    ? iso
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return el("time", { datetime: iso }, text);
}

/** @param {string | undefined} id */
export function short(id) {
  return id === undefined ? "" : id.slice(0, 8);
}
