import { showSome } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** Nobody can tell what clusters without Flux run, so nothing is proved on a stage that has no others. */
export const checkWithoutFlux: Check = ({ fleet, report }) => {
  const byStage = Map.groupBy(fleet.clusters, ({ stage }) => stage);
  for (const { name, after } of fleet.stages) {
    const clusters = after === undefined ? [] : (byStage.get(after) ?? []);
    if (clusters.length === 0 || clusters.some(({ platform }) => platform !== "none")) continue;
    const names = showSome(clusters.map((cluster) => cluster.name));
    report(
      ["stages", name, "after"],
      `${after} has clusters without Flux alone (${names}), and nobody can tell that they run what would be promoted; name a stage whose clusters have Flux, or drop after`,
    );
  }
};
