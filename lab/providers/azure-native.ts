import { azureNativeStandIn } from "./azureNativeStandIn.ts";
import { runStandIn } from "./runStandIn.ts";

await runStandIn((_dir, arm) => {
  if (arm === undefined) throw new Error("--arm is missing: the URL of the lab's Azure.");
  return azureNativeStandIn(arm);
});
