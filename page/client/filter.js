// @ts-check

/**
 * @typedef {import("../pageData.ts").PageCluster} Cluster
 * @typedef {{ text: string[], state: string[], set: string | undefined, matches: (cluster: Cluster) => boolean, wordOf: (cluster: Cluster) => string }} Filter
 */

/**
 * Reads a filter: words are looked for anywhere; `state:`, `stage:`, `set:` and `commit:` in their place, `key=value` among
 * the labels. With `set:` the state is that of the set. A part with spaces stands in quotes.
 *
 * @param {string} q
 * @returns {Filter}
 */
export function filterOf(q) {
  const parts = [...q.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([part]) => part.replaceAll('"', ""));
  /** @param {string} key */
  const valuesOf = (key) =>
    parts
      .filter((part) => part.startsWith(`${key}:`))
      .map((part) => part.slice(key.length + 1).toLowerCase());
  const labels = parts
    .filter((part) => /^[^:=]+=/.test(part))
    .map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)];
    });
  const text = parts
    .filter((part) => !/^(state|stage|set|commit):/.test(part) && !/^[^:=]+=/.test(part))
    .map((part) => part.toLowerCase());
  const [state, stage, commit] = ["state", "stage", "commit"].map(valuesOf);
  const [set] = valuesOf("set");

  /** @param {Cluster} cluster */
  const wordOf = (cluster) => {
    if (set === undefined) return cluster.word;
    return cluster.sets.find(({ name }) => name.toLowerCase() === set)?.word ?? cluster.word;
  };
  return {
    text,
    state: state ?? [],
    set,
    wordOf,
    matches: (cluster) =>
      (set === undefined || cluster.sets.some(({ name }) => name.toLowerCase() === set)) &&
      (state?.length === 0 || state?.includes(wordOf(cluster)) === true) &&
      (stage?.length === 0 || stage?.some((name) => isStage(cluster, name)) === true) &&
      (commit ?? []).every((beginning) => commitsOf(cluster).some((id) => id.startsWith(beginning))) &&
      labels.every(([key, value]) => cluster.labels[/** @type {string} */ (key)] === value) &&
      text.every((word) => textOf(cluster).includes(word)),
  };
}

/**
 * Whether a cluster is in a stage, be it in one of its rings.
 *
 * @param {Cluster} cluster
 * @param {string} name
 */
function isStage({ stage = "" }, name) {
  return stage.toLowerCase() === name || stage.toLowerCase().startsWith(`${name}/`);
}

/** @param {Cluster} cluster */
function commitsOf({ runs }) {
  return [runs.bootstrap, runs.sets].filter((id) => id !== undefined);
}

/** @type {WeakMap<Cluster, string>} */
const texts = new WeakMap();

/** @param {Cluster} cluster */
function textOf(cluster) {
  let text = texts.get(cluster);
  if (text === undefined) {
    const { name, stage, labels, word, reason, sets } = cluster;
    text = [
      name,
      stage,
      ...Object.values(labels),
      word,
      reason,
      ...sets.flatMap((set) => [set.name, set.reason]),
    ]
      .filter(Boolean)
      .join("\n")
      .toLowerCase();
    texts.set(cluster, text);
  }
  return text;
}

/**
 * The filter with one state put in, or taken out where it is there.
 *
 * @param {string} q
 * @param {string} word
 */
export function toggled(q, word) {
  const part = word.includes(" ") ? `"state:${word}"` : `state:${word}`;
  const parts = [...q.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([one]) => one);
  return (parts.includes(part) ? parts.filter((one) => one !== part) : [...parts, part]).join(" ");
}
