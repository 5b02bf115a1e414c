import { azureNativeStandIn } from "./azureNativeStandIn.ts";
import { runStandIn } from "./runStandIn.ts";

const armUrl = process.env["ARCFLUX_LAB_ARM_URL"];
if (armUrl === undefined) throw new Error("ARCFLUX_LAB_ARM_URL is not set: the lab says where its Azure is.");

await runStandIn(() => azureNativeStandIn(armUrl));
