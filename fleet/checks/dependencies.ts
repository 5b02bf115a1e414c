import { dependencyLoops } from "../dependencyLoops.ts";
import type { Path } from "../finding.ts";
import { originOf, setLayers } from "../layers.ts";
import type { Cluster, ClusterSet } from "../model.ts";
import { probable } from "../nearest.ts";
import type { FleetFile } from "../schema.ts";
import { show, showNames } from "../show.ts";
import { Shared, type Check } from "./report.ts";

/** Every set that another waits for exists on the same cluster, and none waits for itself. */
export const checkDependencies: Check = ({ file, fleet, report }) => {
  const shared = new Shared();
  for (const cluster of fleet.clusters) {
    checkNames(file, cluster, shared);
    for (const loop of dependencyLoops(cluster.sets.map(namesOf))) {
      const [from = "", to = ""] = loop;
      const index =
        cluster.sets.find(({ name }) => name === from)?.dependsOn.findIndex((one) => one.name === to) ?? 0;
      const message = `closes the loop ${loop.join(" -> ")}, and Flux would apply none of them; drop one of these`;
      shared.add(entry(file, cluster, from, index), message, cluster.name);
    }
  }
  shared.report(report);
};

function checkNames(file: FleetFile, cluster: Cluster, shared: Shared): void {
  const names = new Set(cluster.sets.map(({ name }) => name));
  for (const { name: set, dependsOn } of cluster.sets.map(namesOf)) {
    for (const [index, name] of dependsOn.entries()) {
      const add = (message: string) => shared.add(entry(file, cluster, set, index), message, cluster.name);
      if (dependsOn.indexOf(name) < index) {
        add(`${show(name)} is listed twice; write it once`);
      } else if (file.clusters[cluster.name]?.sets?.[name] === null) {
        add(`depends on ${show(name)}, which is opted out there; drop the entry, or take the set`);
      } else if (!names.has(name)) {
        const others = [...names].filter((other) => other !== set);
        const near = probable(name, others);
        const hint = near === undefined ? "" : ` Did you mean ${near}?`;
        const known = `Other sets there: ${showNames(others) || "none"}`;
        add(
          `depends on ${show(name)}, which is no set there; give the cluster that set or drop the entry.${hint} ${known}`,
        );
      }
    }
  }
}

function namesOf({ name, dependsOn }: ClusterSet): { name: string; dependsOn: string[] } {
  return { name, dependsOn: dependsOn.map((one) => one.name) };
}

/** Path of one entry of a set's dependsOn, in the layer that it comes from. */
function entry(file: FleetFile, cluster: Cluster, set: string, index: number): Path {
  const origin = originOf(setLayers(file, cluster.name, set), "dependsOn");
  return [...(origin ?? ["clusters", cluster.name, "sets", set]), index];
}
