import { probable } from "../../wording/nearest.ts";
import { show } from "../../wording/show.ts";
import type { Cluster } from "../model.ts";
import { removalOf } from "../removal.ts";
import { rules } from "../rules.ts";
import { faultyName } from "../withoutFaults.ts";
import { declared, inClusters, type Check } from "./report.ts";

/** What is said to be removed is in no cluster that the entry is about any more. */
export const checkRemoved: Check = (checked) => {
  const { file, fleet, report } = checked;
  if (file.removed.length === 0) return;
  const clusters = new Map(fleet.clusters.map((cluster) => [cluster.name, cluster]));
  const known = declared(checked, "clusters");
  const first = new Map<string, number>();
  for (const [index, entry] of file.removed.entries()) {
    if (entry === faultyName) continue;
    const path = ["removed", index];
    const { cluster, set } = removalOf(entry);
    if (!rules.removedSet.pattern.test(entry)) {
      report(path, `${show(entry)} is not allowed; ${rules.removedSet.allowed}`);
    } else if (first.has(entry)) {
      report(path, `${show(entry)} is in the list already; keep one of them`);
    } else if (cluster !== undefined && !known.includes(cluster)) {
      const near = probable(cluster, known);
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      report(path, `${show(cluster)} is no cluster of the fleet file; correct it or drop the entry.${hint}`);
    } else {
      const about = cluster === undefined ? fleet.clusters : [clusters.get(cluster)].filter((one) => !!one);
      if (about.length > 0 && about.every((one) => hasSet(one, set))) report(path, stillThere(set, about));
    }
    first.set(entry, index);
  }
};

function hasSet({ sets }: Cluster, set: string): boolean {
  return sets.some(({ name }) => name === set);
}

function stillThere(set: string, clusters: readonly Cluster[]): string {
  const names = inClusters(clusters.map(({ name }) => name));
  const have = clusters.length === 1 ? "has" : "have";
  return `says that the set ${set} is removed, and ${names} still ${have} it; take the set out, or drop the entry`;
}
