import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "../makeFolder.ts";
import { ClusterApi } from "./clusterApi.ts";
import type { ClusterTools } from "./clusterTools.ts";
import { kubectlFolder, placeKubectl } from "./kubectlFolder.ts";
import { contextsOf, mergeKubeconfigs } from "./kubeconfig.ts";
import { clustersFolder } from "./leftoverClusters.ts";
import { requireFlux } from "./requireFlux.ts";
import type { Cluster } from "./startCluster.ts";
import { startCluster } from "./startCluster.ts";

/** A cluster that the lab is to start. */
export interface ClusterRequest {
  /** Also that of its context. */
  readonly name: string;
  /** The newest one, or that of Azure's Flux extension. Defaults to `newest`. */
  readonly kustomizeController?: "newest" | "azure";
  /** Whether sets are applied by the service account `flux-applier`, as on Azure. Defaults to false. */
  readonly lockdown?: boolean;
  /** Whether it comes with Flux. Defaults to true. */
  readonly flux?: boolean;
}

/** The real Kubernetes of a lab. */
export interface LabKubernetes {
  /** A kubeconfig with all of {@link contexts}. */
  readonly kubeconfig: string;
  readonly contexts: readonly string[];
  /** Those that the lab has started: one per context, and none with a kubeconfig that was given. */
  readonly clusters: readonly Cluster[];
  api(context: string): ClusterApi;
  /** Set when a process of a cluster has ended by itself. */
  failure(): Error | undefined;
  /** Ends the clusters. Of those that failed, and with `keepLogs` of all, `logs/` is kept. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

export interface LabKubernetesOptions {
  /** The lab's. */
  readonly dir: string;
  /** Those to start, if no kubeconfig is given. */
  readonly clusters?: readonly ClusterRequest[];
  readonly kubeconfig?: string;
  /** Of the kubeconfig. Defaults to its current one. */
  readonly contexts?: readonly string[];
  readonly tools: ClusterTools;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/** Starts the clusters below `DIR/clusters`, or looks whether those of the kubeconfig have Flux. All or none. */
export async function startLabKubernetes(options: LabKubernetesOptions): Promise<LabKubernetes> {
  const { dir, tools, kubeconfig, contexts } = options;
  const kubernetes =
    kubeconfig === undefined ? await started(options) : await given(path.resolve(kubeconfig), contexts);
  placeKubectl(dir, tools.kubectl);
  return {
    ...kubernetes,
    async stop(how) {
      await kubernetes.stop(how);
      rmSync(kubectlFolder(dir), { recursive: true, force: true });
    },
  };
}

async function given(kubeconfig: string, wanted: readonly string[] | undefined): Promise<LabKubernetes> {
  const { names, current } = contextsOf(kubeconfig);
  const contexts = wanted ?? (current === undefined ? [] : [current]);
  const unknown = contexts.filter((one) => !names.includes(one));
  if (contexts.length === 0 || unknown.length > 0) {
    const wrong = unknown.length > 0 ? `no context ${unknown.join(", ")}` : "no current context";
    throw new Error(
      `${kubeconfig} has ${wrong}. Its contexts: ${names.join(", ") || "none"}. Name those to use with --cluster-names.`,
    );
  }
  const apis = new Map(contexts.map((context) => [context, new ClusterApi(kubeconfig, context)]));
  await requireFlux(apis);
  return {
    kubeconfig,
    contexts,
    clusters: [],
    api: (context) => pick(apis, context),
    failure: () => undefined,
    stop: () => Promise.resolve(),
  };
}

async function started(options: LabKubernetesOptions): Promise<LabKubernetes> {
  const { dir, tools, env, log, clusters: requests = [] } = options;
  const folder = clustersFolder(dir);
  const kubeconfig = path.join(dir, "kubeconfig");
  makeFolder(folder);
  const all = await Promise.allSettled(
    requests.map(({ name, kustomizeController = "newest", lockdown = false, flux = true }) =>
      startCluster({
        dir: path.join(folder, name),
        name,
        tools,
        kustomizeController: tools.kustomizeController[kustomizeController],
        ...{ lockdown, flux },
        env,
        log,
      }),
    ),
  );
  const clusters = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async (options?: { readonly keepLogs?: boolean }): Promise<void> => {
    await Promise.all(clusters.map((cluster) => cluster.stop(options)));
    rmSync(kubeconfig, { force: true });
    if (existsSync(folder) && readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  };
  const failed = all.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  if (failed.length > 0) {
    await stop();
    throw new Error(failed.map(({ message }) => message).join("\n"), { cause: failed[0] });
  }
  mergeKubeconfigs(
    kubeconfig,
    clusters.map((cluster) => cluster.kubeconfig),
  );
  const apis = new Map(clusters.map((cluster) => [cluster.context, cluster.api]));
  return {
    kubeconfig,
    contexts: clusters.map(({ context }) => context),
    clusters,
    api: (context) => pick(apis, context),
    failure: () => clusters.map((cluster) => cluster.failure()).find((error) => error !== undefined),
    stop,
  };
}

function pick(apis: ReadonlyMap<string, ClusterApi>, context: string): ClusterApi {
  const api = apis.get(context);
  if (api === undefined)
    throw new Error(`The lab has no context '${context}'. It has ${[...apis.keys()].join(", ")}.`);
  return api;
}
