import { dependencyLoops } from "../dependencyLoops.ts";
import { show } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** Stages come one after the other, and what stages and groups say reaches a cluster. */
export const checkLayers: Check = ({ file, views, report, warn }) => {
  const stages = Object.entries(file.stages).map(([name, { after }]) => ({
    name,
    dependsOn: after === undefined ? [] : [after],
  }));
  for (const loop of dependencyLoops(stages)) {
    report(["stages", loop[0]!, "after"], `closes the loop ${loop.join(" -> ")}; a first stage has no after`);
  }
  const taken = new Set(views.flatMap(({ groups }) => groups));
  for (const [name, { match }] of Object.entries(file.groups)) {
    if (taken.has(name)) continue;
    const labels = Object.entries(match).map(([key, value]) => `${key}: ${value}`);
    warn(
      ["groups", name, "match"],
      `matches no cluster: none has the labels ${show(labels.join(", "))}; correct the labels or drop the group`,
    );
  }
  const used = new Set(views.map(({ entry }) => entry.stage));
  for (const [name, { variables }] of Object.entries(file.stages)) {
    if (used.has(name)) continue;
    for (const variable in variables)
      warn(["stages", name, "variables", variable], "is used by nothing: no cluster is in the stage", "key");
  }
};
