import { fleetPolicy } from "../../fleetPolicy.ts";

/** `ARCFLUX_ALL` lets one person pass a limit; here another has to say so too, for a day. */
export const limitsRespected = fleetPolicy({
  name: "limits-respected",
  description: "An update passes no limit of the fleet file.",
  why: "A limit is how much of a fleet one mistake may reach, and whoever is in a hurry should not lift it alone.",
  exemption: { mostHours: 24, needsPerson: true },
  check: ({ update }) => {
    if (update?.limit === undefined) return [];
    const { most, reached, reason } = update.limit;
    return [
      {
        message: `the update reaches ${reached} clusters at once, past limits.clustersPerUpdate ${most} (ARCFLUX_ALL: ${reason}). Change fewer, or exempt cluster "*" for a day, with reason and person.`,
      },
    ];
  },
});
