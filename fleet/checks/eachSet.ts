import type { Path } from "../finding.ts";
import { placeOf, type Holder, type Layer } from "../layers.ts";
import type { Cluster, ClusterSet } from "../model.ts";
import { layersOf, originOfField } from "../origin.ts";
import { valueAt } from "../withoutFaults.ts";
import type { Checked } from "./report.ts";

/** A set of a cluster, which can say where its fields stand. Layers are looked up only where there is a finding. */
export interface Taken {
  readonly cluster: Cluster;
  readonly set: ClusterSet;
  readonly holders: readonly Holder[];
  readonly layers: () => readonly Layer[];
  /** The path of a field in the fleet file, or of the set where the file does not state the field. */
  readonly at: (...inner: Path) => Path;
}

/** Calls back for every set of a fleet. */
export function eachSet({ file, data, fleet, views }: Checked, use: (taken: Taken) => void): void {
  for (const [index, cluster] of fleet.clusters.entries()) {
    const view = views[index]!;
    for (const set of cluster.sets) {
      const layers = () => layersOf(file, view, cluster, set.name);
      const at = (...inner: Path) => {
        const path = originOfField(layers(), cluster.name, inner);
        // What Arcflux has as a default is nowhere in the file.
        const builtIn = path[0] === "defaults" && valueAt(data, path.slice(0, 2)) === undefined;
        return builtIn ? placeOf(layers(), cluster.name) : path;
      };
      use({ cluster, set, holders: view.holders, layers, at });
    }
  }
}
