import { main } from "@pulumi/pulumi/provider/index.js";

import manifest from "../package.json" with { type: "json" };
import { killAll } from "../git/index.ts";
import { configEnvironment } from "./configEnvironment.ts";
import { engineWarner } from "./engineLog.ts";
import { engineIsAlive, watchEngine } from "./engineWatch.ts";
import { byType } from "./byType.ts";
import { fluxInstallType } from "./fluxInstall.ts";
import { GitFilesPlugin } from "./plugin.ts";

const cancelled = new AbortController();

const { version } = manifest;
const { signal } = cancelled;
const env = configEnvironment(process.env);
const warn = engineWarner(process.argv[2]);
const gitFiles = new GitFilesPlugin(version, { env, alive: engineIsAlive, signal }, warn);
const plugin = byType(version, {
  "arcflux-git:index:GitFiles": () => gitFiles,
  // The client of Kubernetes takes longer to load than all the rest, and few stacks need it.
  [fluxInstallType]: async () => {
    const { FluxInstallPlugin } = await import("./fluxInstallPlugin.ts");
    return new FluxInstallPlugin(version, warn, env, signal);
  },
});

/**
 * Ends what git is doing at once, and every wait for a cluster. A push that lands all the same, and half of an installation,
 * are recognised by the next run.
 */
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
