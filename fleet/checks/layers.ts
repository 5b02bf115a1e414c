import { dependencyLoops } from "../dependencyLoops.ts";
import type { Check } from "./report.ts";

/** Stages come one after the other, and what they say reaches a cluster. */
export const checkLayers: Check = ({ file, views, report, warn }) => {
  const stages = Object.entries(file.stages).map(([name, { after }]) => ({
    name,
    dependsOn: after === undefined ? [] : [after],
  }));
  for (const loop of dependencyLoops(stages)) {
    report(["stages", loop[0]!, "after"], `closes the loop ${loop.join(" -> ")}; a first stage has no after`);
  }
  const used = new Set(views.map(({ entry }) => entry.stage));
  for (const [name, { variables }] of Object.entries(file.stages)) {
    if (used.has(name)) continue;
    for (const variable in variables)
      warn(["stages", name, "variables", variable], "is used by nothing: no cluster is in the stage", "key");
  }
};
