import { fleetPolicy } from "../../fleetPolicy.ts";

/** `ARCFLUX_EMERGENCY` lets one person pass a freeze; here another has to say so too, for a day. */
export const freezesRespected = fleetPolicy({
  name: "freezes-respected",
  description: "An update passes no freeze.",
  why: "A freeze stands for a time in which nobody could mend what an update breaks.",
  // An emergency is over in a day, or is none.
  exemption: { mostHours: 24, needsPerson: true },
  check: ({ update }) =>
    (update?.freezes ?? []).flatMap(({ name, until, clusters, emergency }) =>
      clusters.map((cluster) => ({
        cluster,
        message: `the update passes freeze ${name} on cluster ${cluster} (until ${until}; ARCFLUX_EMERGENCY: ${emergency}). Wait, or exempt the cluster for a day, with reason and person.`,
      })),
    ),
});
