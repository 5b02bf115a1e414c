import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { UsageError } from "./fleetCommand.ts";

/** Which clusters, as the options of commands say it. */
export interface ClusterChoice {
  readonly cluster?: readonly string[];
  readonly stage?: string;
  readonly label?: Readonly<Record<string, string>>;
}

/** The chosen clusters, in the order of the fleet file. Throws SelectionError or UsageError where there are none. */
export function chosenClusters(fleet: Fleet, { cluster, stage, label }: ClusterChoice): readonly Cluster[] {
  const selected = selectClusters(fleet, {
    ...(cluster && { names: cluster }),
    ...(label && { labels: label }),
  });
  if (stage === undefined) return selected;
  const found = selected.filter(
    (one) => one.stage === stage || `${one.stage ?? ""}/${one.ring ?? ""}` === stage,
  );
  if (found.length > 0) return found;
  const stages = [...new Set(fleet.clusters.flatMap(({ stage }) => stage ?? []))];
  throw new UsageError(
    `No cluster of stage ${stage} is selected. Stages with clusters: ${stages.join(", ") || "none"}.`,
  );
}
