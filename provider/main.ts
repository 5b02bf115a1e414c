import { main } from "@pulumi/pulumi/provider/index.js";

import manifest from "../package.json" with { type: "json" };
import { killAll } from "../git/index.ts";
import { configEnvironment } from "./configEnvironment.ts";
import { engineWarner } from "./engineLog.ts";
import { engineIsAlive, watchEngine } from "./engineWatch.ts";
import { GitFilesPlugin } from "./plugin.ts";

let cancelled = false;

const plugin = new GitFilesPlugin(
  manifest.version,
  { env: configEnvironment(process.env), alive: () => !cancelled && engineIsAlive() },
  engineWarner(process.argv[2]),
);

/** A push under way ends by itself, since its outcome must be known; none is started after this. */
const cancel = (): Promise<void> => {
  cancelled = true;
  return Promise.resolve();
};

/** Ends with every git process it started: none may go on pushing for a run that is over. */
const end = (): never => {
  killAll();
  process.exit(1);
};
watchEngine(process.argv[2], end);
process.once("SIGTERM", end);
process.once("SIGINT", end);

await main(Object.assign(plugin, { cancel }), process.argv.slice(2));
