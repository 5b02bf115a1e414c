import * as pulumi from "@pulumi/pulumi";

import { type Unconnected, unconnectedFaults } from "../existing/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { alreadyTold } from "./withoutAzure.ts";

/**
 * Names the clusters whose Flux is left out of Azure since nobody connected them, or their agents are not running: a request for
 * them would fail, or wait for an hour. The others go on; an update ends as failed, with all outputs saved.
 */
export function sayUnconnected(unconnected: Unconnected, clusters: readonly Cluster[]): void {
  const lines = unconnectedFaults(unconnected, clusters).map(
    ({ text, mend }) => `${text}. Files go to Git; Flux in Azure is left. ${mend}, and run again.`,
  );
  if (lines.length === 0) return;
  if (pulumi.runtime.isDryRun()) {
    for (const line of lines) void pulumi.log.warn(line);
    return;
  }
  for (const line of lines) void pulumi.log.error(line);
  process.exitCode = alreadyTold;
}
