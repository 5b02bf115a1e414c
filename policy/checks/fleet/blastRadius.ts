import { fleetPolicy } from "../../fleetPolicy.ts";

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
  check: ({ update }, { maxClusters, maxPercent = 100, smallStage = 5 }) => {
    const reach = update?.reach ?? [];
    const all = reach.reduce((sum, { reached }) => sum + reached, 0);
    const way = "divide it by stack config arcflux:clusters, or change one stage after the other.";
    const faults = reach
      .filter(({ reached, of }) => of > Number(smallStage) && (100 * reached) / of > Number(maxPercent))
      .map(({ stage = "(none)", reached, of }) => ({
        message: `the update reaches ${reached} of ${of} clusters of stage ${stage} at once; at most ${Number(maxPercent)} % may be: ${way}`,
      }));
    return typeof maxClusters === "number" && all > maxClusters
      ? [
          { message: `the update reaches ${all} clusters at once; at most ${maxClusters} may be: ${way}` },
          ...faults,
        ]
      : faults;
  },
});
