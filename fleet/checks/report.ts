import type { Path } from "../finding.ts";
import type { LoadOptions, Origin } from "../load.ts";

/** Adds a finding at a path of the fleet file; `at` says whether it stands at the key or at the value. */
export type Report = (path: Path, message: string, at?: "key" | "value") => void;

/** What every check of this folder gets: the file, what it resolves to, and where to report. */
export interface Checked extends Origin {
  /** What was read, faulty entries among it: a name in it exists, although nothing may be known of it. */
  readonly data: unknown;
  readonly options: LoadOptions;
  /** Adds an error. */
  readonly report: Report;
  readonly warn: Report;
}

export type Check = (checked: Checked) => void;

/** Names of a section of the file, faulty entries among them. */
export function declared({ data }: Checked, section: string): string[] {
  const entries = (data as Record<string, unknown>)[section];
  return typeof entries === "object" && entries !== null ? Object.keys(entries) : [];
}

/** One finding for many clusters that share its cause: names three of them and counts the rest. */
export function inClusters(clusters: readonly string[]): string {
  const shown = clusters.slice(0, 3).join(", ");
  return clusters.length > 3 ? `${shown} and ${clusters.length - 3} more` : shown;
}

/** Collects findings whose cause lies outside a single cluster, so that a thousand clusters do not repeat it. */
export class Shared {
  readonly #found = new Map<string, { path: Path; message: string; at?: "key"; clusters: Set<string> }>();

  add(path: Path, message: string, cluster: string, at?: "key"): void {
    const key = JSON.stringify([path, message]);
    const known = this.#found.get(key) ?? { path, message, ...(at && { at }), clusters: new Set<string>() };
    known.clusters.add(cluster);
    this.#found.set(key, known);
  }

  /** Reports each once, with the clusters it was seen on where its path names none. */
  report(report: Report): void {
    for (const { path, message, at, clusters } of this.#found.values()) {
      report(path, path[0] === "clusters" ? message : `${message} (on ${inClusters([...clusters])})`, at);
    }
  }
}
