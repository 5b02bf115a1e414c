import type { Cluster, Fleet } from "./model.ts";
import { probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";

/** A part of a fleet. With both, a cluster is named and has the labels; with neither, it is the whole fleet. */
export interface Selection {
  readonly names?: readonly string[];
  /** Labels that a cluster has, each with this value. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A selection that names what is not there. */
export class SelectionError extends Error {
  override readonly name = "SelectionError";
}

/** The selected clusters, in the order of the fleet file. Throws a SelectionError that lists every unknown name. */
export function selectClusters(fleet: Fleet, { names, labels }: Selection): readonly Cluster[] {
  const known = new Set(fleet.clusters.map(({ name }) => name));
  const unknown = [...new Set(names)].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const lines = unknown.map((name) => {
      const near = probable(name, known);
      return `${show(name)} is no cluster of the fleet file.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    });
    throw new SelectionError([...lines, `Clusters there: ${showNames(known) || "none"}`].join("\n"));
  }

  const wanted = Object.entries(labels ?? {});
  const selected = fleet.clusters.filter(
    (cluster) =>
      (names === undefined || names.includes(cluster.name)) &&
      wanted.every(([key, value]) => Object.hasOwn(cluster.labels, key) && cluster.labels[key] === value),
  );
  if (selected.length === 0 && (names !== undefined || wanted.length > 0)) {
    throw new SelectionError(
      `No cluster is selected: ${describe(names, wanted)} matches none of ${showNames(known) || "none"}. ` +
        "Correct the selection, or the labels in the fleet file.",
    );
  }
  return selected;
}

function describe(
  names: readonly string[] | undefined,
  labels: readonly (readonly [string, string])[],
): string {
  const parts = labels.map(([key, value]) => `${key}=${value}`);
  if (names !== undefined)
    parts.unshift(names.length > 0 ? `one of ${showNames(names)}` : "an empty list of names");
  return parts.join(" and ");
}
