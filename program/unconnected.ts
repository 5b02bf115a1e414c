import * as pulumi from "@pulumi/pulumi";

import type { Unconnected } from "../existing/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import { alreadyTold } from "./withoutAzure.ts";

/**
 * Names the clusters whose Flux is left out of Azure since nobody connected them, or their agents are not running: a request for
 * them would fail, or wait for an hour. The others go on; an update ends as failed, with all outputs saved.
 */
export function sayUnconnected({ absent, away }: Unconnected, clusters: readonly Cluster[]): void {
  const lines = unconnectedLines({ absent, away }, clusters);
  if (lines.length === 0) return;
  if (pulumi.runtime.isDryRun()) {
    for (const line of lines) void pulumi.log.warn(line);
    return;
  }
  for (const line of lines) void pulumi.log.error(line);
  process.exitCode = alreadyTold;
}

/** A line for those that Azure does not know, and one for each state of agents. */
export function unconnectedLines(
  { absent, away }: Unconnected,
  clusters: readonly Pick<Cluster, "name" | "arc">[],
): string[] {
  const arcOf = new Map(clusters.map(({ name, arc }) => [name, arc]));
  const [first] = absent;
  const arc = arcOf.get(first ?? "");
  const left = "Files go to Git; Flux in Azure is left.";
  return [
    ...(arc === undefined
      ? []
      : [
          `${showSome(absent)}: Azure has no connected cluster ${arc.name} in ${arc.resourceGroup}. ${left} ` +
            `Connect it (az connectedk8s connect --name ${arc.name} --resource-group ${arc.resourceGroup}) or correct arc.name, arc.resourceGroup or arc.subscription, and run again.`,
        ]),
    ...[...Map.groupBy(away, ([, state]) => state)].map(
      ([state, some]) =>
        `${showSome(some.map(([name]) => name))}: the connected cluster is in Azure, and its agents are not running (${state}). ${left} ` +
        "See kubectl -n azure-arc get pods there, and run again once they are.",
    ),
  ];
}
