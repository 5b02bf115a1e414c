import type { KubeConfig } from "@kubernetes/client-node";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { show } from "../values/show.ts";
import { azureAccess } from "./ask/azureAccess.ts";
import { ClusterError } from "./ask/clusterError.ts";
import type { ObjectApi } from "./ask/objectApi.ts";
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

/** The objects behind a context of the user's kubeconfig; else the names of the contexts that it has. */
export async function objectsOf(context: string): Promise<ObjectApi | readonly string[]> {
  const { loadKubeconfig } = await import("./ask/kubeconfig.ts");
  const { openObjects } = await import("./ask/objectApi.ts");
  const kubeconfig = loadKubeconfig();
  return openObjects(kubeconfig, context, writeTimeout) ?? kubeconfig.getContexts().map(({ name }) => name);
}

/**
 * The objects behind a context of a kubeconfig, given as text; of the user's own, and its current context, where they are
 * undefined. Rejects with ClusterError where there is no such context.
 */
export async function objectsIn(text: string | undefined, context: string | undefined): Promise<ObjectApi> {
  const { loadKubeconfig } = await import("./ask/kubeconfig.ts");
  const { openObjects } = await import("./ask/objectApi.ts");
  const kubeconfig = loadKubeconfig(text);
  const name = context ?? kubeconfig.getCurrentContext();
  const found = openObjects(kubeconfig, name, writeTimeout);
  if (found !== undefined) return found;
  throw new ClusterError(
    `the kubeconfig has ${name ? `no context ${show(name)}` : "no current context"}; set kubeconfig.context in the fleet file, or correct KUBECONFIG`,
  );
}

/** Of one request that changes a cluster, in milliseconds: admission webhooks may take 30 s. */
const writeTimeout = 45_000;

/** Of one request to a cluster, in milliseconds: one that is there answers in a second. */
const requestTimeout = 10_000;
