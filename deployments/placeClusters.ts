import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters, SelectionError } from "../fleet/select.ts";
import { showSome } from "../values/show.ts";
import type { Stack } from "./readProject.ts";

/** A stack with its clusters. */
export interface Placement {
  readonly stack: string;
  readonly clusters: readonly Cluster[];
}

/**
 * Which stack has which clusters, and what is wrong with that: a cluster in two stacks is written by both in turn, and one
 * in none by nobody. Messages are complete.
 */
export function placeClusters(
  fleet: Fleet,
  stacks: readonly Stack[],
): { readonly placed: readonly Placement[]; readonly faults: string[] } {
  const faults: string[] = [];
  const placed = stacks.flatMap(({ name, selection }) => {
    try {
      return [
        {
          stack: name,
          clusters: selection === undefined ? fleet.clusters : selectClusters(fleet, selection),
        },
      ];
    } catch (error) {
      if (!(error instanceof SelectionError)) throw error;
      faults.push(`Stack ${name}, arcflux:clusters: ${error.message}`);
      return [];
    }
  });
  const stacksOf = new Map<string, string[]>(fleet.clusters.map(({ name }) => [name, []]));
  for (const { stack, clusters } of placed) for (const { name } of clusters) stacksOf.get(name)?.push(stack);
  const homeless = [...stacksOf].flatMap(([name, of]) => (of.length === 0 ? [name] : []));
  if (homeless.length > 0)
    faults.push(
      `${showSome(homeless)} ${homeless.length > 1 ? "are" : "is"} in no stack. Add what selects ${homeless.length > 1 ? "them" : "it"} to arcflux:clusters of one.`,
    );
  const shared = Map.groupBy(
    [...stacksOf].filter(([, of]) => of.length > 1),
    ([, of]) => of.join(" and "),
  );
  for (const [of, entries] of shared)
    faults.push(
      `${showSome(entries.map(([name]) => name))} ${entries.length > 1 ? "are" : "is"} in ${of}, which would write the same folders. Correct arcflux:clusters of one.`,
    );
  return { placed, faults };
}
