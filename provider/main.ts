import { main } from "@pulumi/pulumi/provider/index.js";

import manifest from "../package.json" with { type: "json" };
import { killAll } from "../git/index.ts";
import { configEnvironment } from "./configEnvironment.ts";
import { engineWarner } from "./engineLog.ts";
import { engineIsAlive, watchEngine } from "./engineWatch.ts";
import { GitFilesPlugin } from "./plugin.ts";

const cancelled = new AbortController();

const plugin = new GitFilesPlugin(
  manifest.version,
  { env: configEnvironment(process.env), alive: engineIsAlive, signal: cancelled.signal },
  engineWarner(process.argv[2]),
);

/** Ends what git is doing at once. A push that lands all the same is recognised by the next run. */
const cancel = (): Promise<void> => {
  cancelled.abort();
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
