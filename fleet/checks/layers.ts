import { dependencyLoops } from "../dependencyLoops.ts";
import type { FleetFile } from "../schema.ts";
import { show } from "../../values/show.ts";
import type { Check, Report } from "./report.ts";

/** Stages come one after the other, and what they say reaches a cluster. */
export const checkLayers: Check = ({ file, views, report, warn }) => {
  const stages = Object.entries(file.stages).map(([name, { after }]) => ({
    name,
    dependsOn: after === undefined ? [] : [after],
  }));
  for (const loop of dependencyLoops(stages)) {
    report(["stages", loop[0]!, "after"], `closes the loop ${loop.join(" -> ")}; a first stage has no after`);
  }
  checkBranches(file, report);
  const used = new Set(views.map(({ entry }) => entry.stage));
  for (const [name, { variables }] of Object.entries(file.stages)) {
    if (used.has(name)) continue;
    for (const variable in variables)
      warn(["stages", name, "variables", variable], "is used by nothing: no cluster is in the stage", "key");
  }
};

/** A promotion moves one branch of one stage; what is committed to moves by updates alone. */
function checkBranches({ stages, repository }: FleetFile, report: Report): void {
  const first = new Map<string, string>();
  for (const [name, { branch = repository.branch, after }] of Object.entries(stages)) {
    if (branch === repository.branch) {
      if (after !== undefined)
        report(
          ["stages", name, "after"],
          `${show(after)}: the stage follows ${branch}, which updates commit to, so nothing is promoted to it; give it a branch of its own, or leave out after`,
        );
      continue;
    }
    const other = first.get(branch);
    if (other === undefined) first.set(branch, name);
    else
      report(
        ["stages", name, "branch"],
        `${show(branch)} is the branch of stage ${other} too, and a promotion would move both; give each stage its own`,
      );
  }
}
