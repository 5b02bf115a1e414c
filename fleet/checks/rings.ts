import { matchingRings, ringStages } from "../rings.ts";
import { show } from "../../values/show.ts";
import { inClusters, type Check } from "./report.ts";

/** Each cluster of a stage with rings is in one of them, and each ring has a branch that nothing else moves. */
export const checkRings: Check = ({ file, views, report, warn }) => {
  for (const [stage, entry] of Object.entries(file.stages)) {
    const { rings } = entry;
    if (rings === undefined) continue;
    const at = ["stages", stage, "rings"];
    if (rings.length === 0) report(at, "is empty; write a ring, or leave it out");
    const names = new Set<string>();
    for (const [index, { name }] of rings.entries()) {
      if (names.has(name))
        report([...at, index, "name"], `${show(name)} is another ring's name too; give it one of its own`);
      names.add(name);
    }
    const clusters = views.filter((view) => view.entry.stage === stage);
    const none = clusters.filter(({ ring }) => ring === undefined).map(({ name }) => name);
    if (none.length > 0)
      report(at, `takes no ring for ${inClusters(none)}; match them, or end with a ring of share: 100%`);
    const both = clusters
      .filter((view) => matchingRings(rings, view.entry).length > 1)
      .map(({ name }) => name);
    if (both.length > 0) {
      const matched = new Set(
        clusters
          .filter(({ name }) => both.includes(name))
          .flatMap((view) => matchingRings(rings, view.entry).map(({ name }) => name)),
      );
      report(
        at,
        `${[...matched].join(" and ")} both match ${inClusters(both)}; a cluster is in one ring, so match by other labels`,
      );
    }
    for (const [index, { name }] of rings.entries())
      if (!clusters.some((view) => view.ring?.name === name))
        warn(
          [...at, index],
          `has no cluster, so it proves nothing and no roll-out passes it; match some, or take a larger share`,
        );
    const branches = [...ringStages(stage, entry, file).values()].slice(0, -1).map(({ branch }) => branch);
    const others = Object.entries(file.stages).flatMap(([name, { branch }]) =>
      branch !== undefined && branches.includes(branch) ? [name] : [],
    );
    for (const other of others)
      report(
        ["stages", other, "branch"],
        `is the branch of a ring of ${stage}, and a promotion would move both; give each its own`,
      );
  }
};
