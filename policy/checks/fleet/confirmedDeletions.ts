import { fleetPolicy } from "../../fleetPolicy.ts";

/** The program stops at deletions that nobody confirmed; how many confirmed ones go at once is a threshold. */
export const confirmedDeletions = fleetPolicy({
  name: "confirmed-deletions",
  description: "One update makes few deletions, each confirmed by removed in the fleet file.",
  why: "Deletions cannot be taken back, and many at once are seldom meant.",
  configSchema: {
    properties: {
      most: { type: "number", minimum: 0, default: 10, description: "Different deletions at most." },
    },
  },
  check: ({ update }, { most = 10 }) => {
    const deletions = update?.deletions ?? [];
    if (deletions.length <= Number(most)) return [];
    return [
      {
        message: `the update makes ${deletions.length} deletions, at most ${Number(most)} may be at once: ${deletions[0]}. Take some out of removed, and make them later.`,
      },
    ];
  },
});
