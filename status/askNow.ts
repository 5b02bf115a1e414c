import type { KubeConfig } from "@kubernetes/client-node";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { azureAccess } from "./ask/azureAccess.ts";
import { type AskOptions, askFleet, type FleetStatus } from "./askFleet.ts";

/** Asks Git, Azure and clusters as the environment says how. `timeout` in seconds. */
export function askNow(
  fleet: Fleet,
  clusters: readonly Cluster[],
  timeout: number,
  env: NodeJS.ProcessEnv = process.env,
  how: Pick<AskOptions, "direct"> = {},
): Promise<FleetStatus> {
  return askFleet(fleet, clusters, { ...askOptions(timeout, env), ...how });
}

/** How a user's machine or pipeline asks. */
export function askOptions(timeout: number, env: NodeJS.ProcessEnv = process.env): AskOptions {
  let kubeconfig: KubeConfig | undefined;
  return {
    git: { env },
    azure: () => azureAccess(env),
    async context(name, signal) {
      // The client of Kubernetes takes a moment to load, and many fleets never need it.
      const { loadKubeconfig } = await import("./ask/kubeconfig.ts");
      const { openContext } = await import("./ask/kubernetesApi.ts");
      kubeconfig ??= loadKubeconfig();
      return openContext(kubeconfig, name, { timeout: requestTimeout, signal });
    },
    now: () => new Date(),
    timeout: timeout * 1000,
  };
}

/** Of one request to a cluster, in milliseconds: one that is there answers in a second. */
const requestTimeout = 10_000;
