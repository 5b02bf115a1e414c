import type { Finding } from "../fleet/finding.ts";
import { showSome } from "../values/show.ts";

/**
 * Findings of clusters in the same words but for the cluster, as one: at the first, with the others by name. A policy says the
 * same of every store that takes a shared set.
 */
export function saidOnce(findings: readonly Finding[], clusters: readonly string[]): Finding[] {
  const known = new Set(clusters);
  const alike = Map.groupBy(findings, (finding) => {
    const cluster = clusterOf(finding, known);
    const { severity, judgement, message, path } = finding;
    if (cluster === undefined) return JSON.stringify([severity, judgement, message, path]);
    // A name may be a part of another word, and the same words are wanted alone.
    const [words, place] = [message, path].map((text) => text.split(cluster).join("*"));
    return JSON.stringify([severity, judgement, words, place]);
  });
  return [...alike.values()].map(([first, ...others]) => {
    const names = new Set(others.flatMap((finding) => clusterOf(finding, known) ?? []));
    return names.size === 0 ? first! : { ...first!, message: `${first!.message} (also ${showSome(names)})` };
  });
}

/** The cluster that a finding is at, by its path; its name may have dots. */
function clusterOf({ path }: Finding, known: ReadonlySet<string>): string | undefined {
  const [first, ...rest] = path.split(".");
  if (first !== "clusters") return undefined;
  for (let length = rest.length; length > 0; length -= 1) {
    const name = rest.slice(0, length).join(".");
    if (known.has(name)) return name;
  }
  return undefined;
}
