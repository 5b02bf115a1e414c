import { fluxMinors, type FluxMinor, isAtLeast, supportedMinors } from "../../../values/fluxVersions.ts";
import { showNames } from "../../../values/show.ts";
import { fleetPolicy } from "../../fleetPolicy.ts";

/** Flux mends its three newest minor versions. */
export const supportedFlux = fleetPolicy({
  name: "supported-flux",
  description: "Clusters run a version of Flux that is still mended.",
  why: "Flux mends its three newest minor versions; an older one keeps its faults.",
  // What Azure's extension brings may be older than what Flux itself still mends.
  enforcementLevel: "disabled",
  configSchema: {
    properties: {
      oldest: {
        enum: [...fluxMinors],
        default: supportedMinors[0]!,
        description: "Oldest version that will do.",
      },
    },
  },
  check: ({ clusters = {} }, { oldest = supportedMinors[0] }) => {
    const old = Object.entries(clusters).filter(([, { flux }]) => !isAtLeast(flux, oldest as FluxMinor));
    return [...Map.groupBy(old, ([, { flux }]) => flux)].map(([flux, some]) => ({
      message: `clusters ${showNames(
        some.map(([name]) => name),
        3,
      )} run Flux ${flux}; the oldest that will do is ${String(oldest)}. Upgrade it there, and write flux.version.`,
    }));
  },
});
