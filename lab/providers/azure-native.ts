import { azureNativeStandIn } from "./azureNativeStandIn.ts";
import { runStandIn } from "./runStandIn.ts";

const assumeClusters = process.env["ARCFLUX_LAB_ASSUME_CLUSTERS"] === "true";

await runStandIn((dir) => azureNativeStandIn(dir, { assumeClusters }));
