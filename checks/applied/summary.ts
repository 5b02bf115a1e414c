import { showNames } from "../../values/show.ts";
import type { ClusterChanges } from "./updateChanges.ts";

/**
 * What changes mean on the clusters, a line for each entry:
 * `edge-1 and 39 more: 1 created, 2 changed (1 restarted), 3 deleted (Namespace shop, …)`.
 */
export function summary(changes: readonly ClusterChanges[]): string[] {
  return changes.map((change) => `${namesOf(change.clusters)}: ${countsOf(change)}`);
}

/** The same with one line for all clusters of which the same is said, whatever the values are that differ there. */
export function shortSummary(changes: readonly ClusterChanges[]): string[] {
  const alike = Map.groupBy(changes, countsOf);
  return [...alike].map(([counts, all]) => `${namesOf(all.flatMap(({ clusters }) => clusters))}: ${counts}`);
}

function countsOf({ objects, unbuilt }: ClusterChanges): string {
  const counts = (["created", "changed", "deleted", "leaves"] as const).flatMap((what) => {
    const all = objects.filter((each) => each.what === what);
    if (all.length === 0) return [];
    const restarted = all.filter(({ restarts }) => restarts).length;
    const names = all.map(({ kind, name }) => `${kind} ${name}`);
    const more =
      restarted > 0 ? ` (${restarted} restarted)` : what === "deleted" ? ` (${showNames(names, 5)})` : "";
    return [`${all.length} ${what === "leaves" ? "left behind" : what}${more}`];
  });
  const dark = (["fault", "notJudged"] as const).flatMap((kind) => {
    const sets = unbuilt.filter((each) => each.kind === kind).map(({ set }) => set);
    const why = kind === "fault" ? "cannot be built" : "not looked at";
    return sets.length === 0 ? [] : [`${showNames(sets, 5)} ${why}`];
  });
  return [...counts, ...dark].join(", ");
}

/** `edge-1`, or `edge-1 and 39 more`. */
export function namesOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
