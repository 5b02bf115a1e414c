import { isSuspended, sameSource } from "../model.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * Flux waits for a dependency of the same source to have applied the current revision. One that is suspended does not, so
 * whatever depends on it stops at the first commit.
 */
export const checkStalls: Check = (checked) => {
  const errors = new Shared();
  const warnings = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    if (set.suspension !== undefined) return;
    for (const [index, { name, external }] of set.dependsOn.entries()) {
      const other = external ? undefined : cluster.sets.find((one) => one.name === name);
      if (other === undefined || !isSuspended(other) || !sameSource(set, other)) continue;
      if (set.window !== undefined) {
        if (other.window !== undefined && other.window !== set.window)
          warnings.add(
            at("dependsOn", index),
            `${name} is applied only in its window ${other.window}, and ${set.name} only in ${set.window}: after every commit Flux holds ${set.name} up until ${other.window} has been open, and ${set.window} is open again; give both the same window, or give one of them another source`,
            cluster.name,
          );
        continue;
      }
      if (other.window !== undefined)
        errors.add(
          at("dependsOn", index),
          `${name} is applied only in its window ${other.window}, and Flux would hold ${set.name} up after every commit until it opens; give ${set.name} the same window, give one of them another source, or drop the dependency`,
          cluster.name,
        );
      else
        warnings.add(
          at("dependsOn", index),
          `${name} is suspended (${other.suspension!.reason}), and Flux will hold ${set.name} up after the next commit; suspend ${set.name} too, or drop the dependency meanwhile`,
          cluster.name,
        );
    }
  });
  errors.report(checked.report);
  warnings.report(checked.warn);
};
