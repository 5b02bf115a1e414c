import { showNames } from "../../values/show.ts";
import type { ClusterChanges } from "./updateChanges.ts";

/**
 * What changes mean on the clusters, a line for those that are alike:
 * `edge-1 and 39 more: 1 created, 2 changed (1 restarted), 3 deleted (Namespace shop, …)`.
 */
export function summary(changes: readonly ClusterChanges[]): string[] {
  return changes.map(({ clusters, objects, unbuilt }) => {
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
    return `${namesOf(clusters)}: ${[...counts, ...dark].join(", ")}`;
  });
}

/** `edge-1`, or `edge-1 and 39 more`. */
export function namesOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
