import { own } from "../layers.ts";
import { inClusters, type Check } from "./report.ts";

/** Health is what a notification reports, so every set of an alert has some. */
export const checkAlerts: Check = ({ file, fleet, report }) => {
  const blind = new Map<string, { alert: string; set: string; clusters: string[] }>();
  for (const cluster of fleet.clusters) {
    for (const alert of cluster.alerts) {
      const names = new Set(alert.sets);
      for (const { name, spec } of cluster.sets) {
        const checks = spec["healthChecks"] as readonly unknown[] | undefined;
        if (!names.has(name) || spec["wait"] === true || (checks?.length ?? 0) > 0) continue;
        const key = `${alert.name}/${name}`;
        const known = blind.get(key) ?? { alert: alert.name, set: name, clusters: [] };
        known.clusters.push(cluster.name);
        blind.set(key, known);
      }
    }
  }
  for (const { alert, set, clusters } of blind.values()) {
    const index = own(file.alerts, alert)?.sets?.indexOf(set);
    report(
      ["alerts", alert, ...(index === undefined ? [] : ["sets", index])],
      `reports on ${set}, which has neither wait nor healthChecks, so it would call it healthy whatever its workloads do; write one of them on the set, or list others under sets (on ${inClusters(clusters)})`,
      index === undefined ? "key" : "value",
    );
  }
};
