import { sameSource, type Cluster, type ClusterSet } from "../model.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * What a set would wait for in vain. One that depends on a windowed set stands still until the first opening, and again
 * whenever the cluster has lost what it fetched in the window. And of two sets of one source, Flux waits until the one
 * that the other depends on has applied the current revision, which one that is suspended by hand never does.
 */
export const checkStalls: Check = (checked) => {
  const errors = new Shared();
  const warnings = new Shared();
  let cluster: Cluster | undefined;
  let byName = new Map<string, ClusterSet>();
  eachSet(checked, ({ cluster: current, set, at }) => {
    if (cluster !== current) byName = new Map(current.sets.map((one) => [one.name, one]));
    cluster = current;
    if (set.suspension !== undefined) return;
    for (const [index, { name, external }] of set.dependsOn.entries()) {
      const other = external ? undefined : byName.get(name);
      if (other === undefined) continue;
      const { window } = other;
      if (window !== undefined && set.window === undefined)
        errors.add(
          at("dependsOn", index),
          `${name} comes in its window ${window}, and Flux would hold ${set.name} up until it opens, and whenever what was fetched is lost; give ${set.name} the same window, or drop the dependency`,
          cluster.name,
        );
      else if (window !== undefined && window !== set.window)
        warnings.add(
          at("dependsOn", index),
          `${name} comes in its window ${window}, and ${set.name} in ${set.window}: Flux holds ${set.name} up until ${window} has been open once; give both the same window, or drop the dependency`,
          cluster.name,
        );
      else if (other.suspension !== undefined && sameSource(set, other))
        warnings.add(
          at("dependsOn", index),
          `${name} is suspended (${other.suspension.reason}), and Flux will hold ${set.name} up after the next commit; suspend ${set.name} too, or drop the dependency meanwhile`,
          cluster.name,
        );
    }
  });
  errors.report(checked.report);
  warnings.report(checked.warn);
};
