// @ts-check

/**
 * What is looked at stands in the address, so that it can be sent to somebody.
 *
 * @typedef {{ view: string, q: string, by: string, cluster: string, left: string, right: string }} Address
 */

/** @returns {Address} */
export function address() {
  const stated = new URLSearchParams(location.hash.slice(1));
  const of = (/** @type {string} */ key) => stated.get(key) ?? "";
  return {
    view: of("view") || "clusters",
    q: of("q"),
    by: of("by") || "stage",
    cluster: of("cluster"),
    left: of("left"),
    right: of("right"),
  };
}

/**
 * The address with some of it changed; what is usual is left out.
 *
 * @param {Partial<Address>} change
 */
export function addressWith(change) {
  const next = { ...address(), ...change };
  const usual = { view: "clusters", by: "stage" };
  const stated = Object.entries(next).filter(
    ([key, value]) => value !== "" && value !== /** @type {any} */ (usual)[key],
  );
  return `#${new URLSearchParams(stated).toString()}`;
}

/**
 * @param {Partial<Address>} change
 * @param {{ keep?: boolean }} [how] `keep`: no new step for the back button, as for each letter of a filter.
 */
export function go(change, { keep = false } = {}) {
  const next = addressWith(change);
  if (next === (location.hash || "#")) return;
  // A file from disk may change nothing of its address but this.
  if (keep) location.replace(next);
  else location.hash = next;
}
