import { runStandIn } from "./runStandIn.ts";
import { tlsStandIn } from "./tlsStandIn.ts";

await runStandIn(() => tlsStandIn());
