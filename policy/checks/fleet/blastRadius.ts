import { fleetPolicy } from "../../fleetPolicy.ts";

const noStage = "(none)";

/** A mistake reaches as many clusters as one update does. */
export const blastRadius = fleetPolicy({
  name: "blast-radius",
  description: "One update reaches at most so many clusters at once, or so large a part of a stage.",
  why: "A mistake reaches as many clusters as one update does, and nobody can stop it halfway.",
  configSchema: {
    properties: {
      maxClusters: { type: "number", minimum: 0, description: "Clusters at most. Default: any number." },
      maxPercent: {
        type: "number",
        minimum: 0,
        maximum: 100,
        default: 100,
        description: "Per cent of the clusters of each stage at most.",
      },
      smallStage: {
        type: "number",
        minimum: 0,
        default: 5,
        description: "Stages of so few clusters may change as a whole.",
      },
    },
  },
  check: ({ clusters, changed }, { maxClusters, maxPercent = 100, smallStage = 5 }) => {
    // An update does not look; its preview has.
    if (changed === undefined) return [];
    const faults: { message: string }[] = [];
    const way = "divide it by stack config arcflux:clusters, or change one stage after the other.";
    if (typeof maxClusters === "number" && changed.length > maxClusters)
      faults.push({
        message: `the update reaches ${changed.length} clusters at once; at most ${maxClusters} may be: ${way}`,
      });
    const stageOf = (name: string) => clusters[name]?.stage ?? noStage;
    const sizes = Map.groupBy(Object.keys(clusters), stageOf);
    for (const [stage, some] of Map.groupBy(changed, stageOf)) {
      const size = sizes.get(stage)?.length ?? 0;
      const percent = (100 * some.length) / size;
      if (size <= Number(smallStage) || percent <= Number(maxPercent)) continue;
      faults.push({
        message: `the update reaches ${some.length} of ${size} clusters of stage ${stage} at once; at most ${Number(maxPercent)} % may be: ${way}`,
      });
    }
    return faults;
  },
});
