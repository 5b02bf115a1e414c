import { kubernetesStandIn } from "./kubernetesStandIn.ts";
import { runStandIn } from "./runStandIn.ts";

await runStandIn(kubernetesStandIn);
