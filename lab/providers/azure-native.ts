import { azureNativeStandIn } from "./azureNativeStandIn.ts";
import { withDeviceParts } from "./deviceParts.ts";
import { runStandIn } from "./runStandIn.ts";

await runStandIn((dir, arm) => {
  if (arm === undefined) throw new Error("--arm is missing: the URL of the lab's Azure.");
  return withDeviceParts(dir, azureNativeStandIn(arm));
});
