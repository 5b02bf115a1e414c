import type { Path } from "../finding.ts";
import type { Fleet } from "../model.ts";
import type { FleetFile } from "../schema.ts";

/** Adds an error at a path of the fleet file; `at` says whether it stands at the key or at the value. */
export type Report = (path: Path, message: string, at?: "key" | "value") => void;

/** What every check of this folder gets: the file, what it resolves to, and where to report. */
export interface Checked {
  readonly file: FleetFile;
  readonly fleet: Fleet;
  readonly report: Report;
}

export type Check = (checked: Checked) => void;

/** One finding for many clusters that share its cause: names three of them and counts the rest. */
export function inClusters(clusters: readonly string[]): string {
  const shown = clusters.slice(0, 3).join(", ");
  return clusters.length > 3 ? `${shown} and ${clusters.length - 3} more` : shown;
}

/** Collects findings whose cause lies outside a single cluster, so that a thousand clusters do not repeat it. */
export class Shared {
  readonly #clusters = new Map<string, { path: Path; message: string; clusters: string[] }>();

  add(path: Path, message: string, cluster: string): void {
    const key = JSON.stringify([path, message]);
    const known = this.#clusters.get(key) ?? { path, message, clusters: [] };
    known.clusters.push(cluster);
    this.#clusters.set(key, known);
  }

  /** Reports each once, with the clusters it was seen on where its path names none. */
  report(report: Report): void {
    for (const { path, message, clusters } of this.#clusters.values()) {
      report(path, path[0] === "clusters" ? message : `${message} (on ${inClusters(clusters)})`);
    }
  }
}
