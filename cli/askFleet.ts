import type { KubeConfig } from "@kubernetes/client-node";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { type AskOptions, askFleet, azureAccess, type FleetStatus } from "../status/index.ts";
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
  const found = selected.filter((one) => one.stage === stage);
  if (found.length > 0) return found;
  const stages = [...new Set(fleet.clusters.flatMap(({ stage }) => stage ?? []))];
  throw new UsageError(
    `No cluster of stage ${stage} is selected. Stages with clusters: ${stages.join(", ") || "none"}.`,
  );
}

/** Asks Git, Azure and clusters as the environment says how. `timeout` in seconds. */
export function askNow(
  fleet: Fleet,
  clusters: readonly Cluster[],
  timeout: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<FleetStatus> {
  return askFleet(fleet, clusters, askOptions(timeout, env));
}

/** How a user's machine or pipeline asks. */
export function askOptions(timeout: number, env: NodeJS.ProcessEnv = process.env): AskOptions {
  let kubeconfig: KubeConfig | undefined;
  return {
    git: { env },
    azure: () => azureAccess(env),
    async context(name, signal) {
      // The client of Kubernetes takes a moment to load, and many fleets never need it.
      const { loadKubeconfig, openContext } = await import("../status/ask/kubernetesApi.ts");
      kubeconfig ??= loadKubeconfig();
      return openContext(kubeconfig, name, { timeout: requestTimeout, signal });
    },
    now: () => new Date(),
    timeout: timeout * 1000,
  };
}

/** Of one request to a cluster, in milliseconds: one that is there answers in a second. */
const requestTimeout = 10_000;
