import { didYouMean, probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import { dependencyLoops } from "../dependencyLoops.ts";
import type { Cluster } from "../model.ts";
import { rules } from "../rules.ts";
import { declared, inClusters, type Check, type Checked } from "./report.ts";

/** Who makes whom by Cluster API: a management cluster of the fleet, which may be itself, and nobody in a circle. */
export const checkManagement: Check = (checked) => {
  const { fleet, report } = checked;
  for (const { name, role, managedBy } of fleet.clusters)
    if (role === "workload" && managedBy === undefined)
      report(
        ["clusters", name, "role"],
        "workload is made by a management cluster; write its name under managedBy",
      );
  const byName = new Map(fleet.clusters.map((cluster) => [cluster.name, cluster]));
  const made = fleet.clusters.filter(({ managedBy }) => managedBy !== undefined);
  for (const [manager = "", clusters] of Map.groupBy(made, ({ managedBy }) => managedBy)) {
    const fault = managerFault(manager, byName, checked);
    if (fault !== undefined) say(clusters, "managedBy", `${show(manager)} ${fault}`, checked);
  }
  say(
    made.filter(({ platform }) => platform !== "kubernetes"),
    "managedBy",
    "brings Flux by a pack, without Azure; write platform: kubernetes",
    checked,
  );
  for (const { name } of made) {
    if (!rules.namespace.pattern.test(name))
      report(
        ["clusters", name],
        `is a Cluster of that name to Cluster API, which Kubernetes does not take; write lower-case letters, digits and -`,
        "key",
      );
  }
  // Who manages itself goes in no circle.
  const makers = made.map(({ name, managedBy = "" }) => ({
    name,
    dependsOn: managedBy === name ? [] : [managedBy],
  }));
  for (const loop of dependencyLoops(makers))
    report(
      ["clusters", loop[0]!, "managedBy"],
      `closes the loop ${loop.join(" -> ")}; let one of them manage itself`,
    );
};

/** One finding for all that share it, at the first. */
function say(clusters: readonly Cluster[], field: string, message: string, { report }: Checked): void {
  const [first, ...others] = clusters.map(({ name }) => name);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (also of ${inClusters(others)})`;
  report(["clusters", first, field], `${message}${more}`);
}

function managerFault(
  name: string,
  byName: ReadonlyMap<string, Cluster>,
  checked: Checked,
): string | undefined {
  const manager = byName.get(name);
  if (manager !== undefined)
    return manager.role === "management"
      ? undefined
      : "does not say that Cluster API runs there; write role: management on it";
  const known = declared(checked, "clusters");
  // One with faults of its own is no stranger.
  if (known.includes(name)) return undefined;
  return `is not a cluster of the fleet file; correct it.${didYouMean(probable(name, known))}`;
}
