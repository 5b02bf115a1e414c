import { dependencyLoops } from "../dependencyLoops.ts";
import { originOf, setLayers } from "../layers.ts";
import { nearest } from "../nearest.ts";
import { show, showNames } from "../show.ts";
import { Shared, type Check } from "./report.ts";

/** Every set that another waits for exists on the same cluster, and none waits for itself. */
export const checkDependencies: Check = ({ file, fleet, report }) => {
  const shared = new Shared();
  for (const cluster of fleet.clusters) {
    const names = new Set(cluster.sets.map(({ name }) => name));
    const at = (set: string, index: number) => [
      ...(originOf(setLayers(file, cluster.name, set), "dependsOn") ?? [
        "clusters",
        cluster.name,
        "sets",
        set,
      ]),
      index,
    ];
    for (const { name: set, dependsOn } of cluster.sets) {
      for (const [index, name] of dependsOn.entries()) {
        if (dependsOn.indexOf(name) < index) {
          shared.add(at(set, index), `${show(name)} is listed twice; write it once`, cluster.name);
        } else if (!names.has(name)) {
          const optedOut = file.clusters[cluster.name]?.sets?.[name] === null;
          const near = optedOut ? undefined : nearest(name, names);
          const known = near === undefined ? "" : ` Did you mean ${near}? Sets there: ${showNames(names)}`;
          const why = optedOut ? "which is opted out there" : "which is no set there";
          shared.add(
            at(set, index),
            `depends on ${show(name)}, ${why}; give the cluster that set or drop the entry.${known}`,
            cluster.name,
          );
        }
      }
    }
    for (const loop of dependencyLoops(cluster.sets)) {
      const [from = "", to = ""] = loop;
      const index = cluster.sets.find(({ name }) => name === from)?.dependsOn.indexOf(to) ?? 0;
      shared.add(
        at(from, index),
        `closes the loop ${loop.join(" -> ")}, and Flux would apply none of them; drop one of these`,
        cluster.name,
      );
    }
  }
  shared.report(report);
};
