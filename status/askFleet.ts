import type { Cluster, Fleet } from "../fleet/model.ts";
import type { GitContext } from "../git/index.ts";
import { askAzure, type FromAzure } from "./ask/askAzure.ts";
import { askCluster, contextOf } from "./ask/askCluster.ts";
import { askGit } from "./ask/askGit.ts";
import type { AzureAccess } from "./ask/azureAccess.ts";
import { inParallel } from "./ask/inParallel.ts";
import type { KubernetesApi } from "./ask/kubernetesApi.ts";
import type { Told } from "./evidence.ts";
import type { History } from "./history.ts";
import { judgeCluster } from "./judge/judgeCluster.ts";
import type { ClusterState } from "./model.ts";

/** How a fleet is asked. */
export interface AskOptions {
  readonly git: GitContext;
  /** Opens Azure; only called where a cluster is behind it. */
  readonly azure: () => Promise<AzureAccess>;
  /** Opens a context of the user's kubeconfig; undefined where it has none of that name. */
  readonly context: (name: string, signal: AbortSignal) => Promise<KubernetesApi | undefined>;
  readonly now: () => Date;
  /** After so many milliseconds what was not answered yet counts as not asked. */
  readonly timeout: number;
  /** Ends the asking at once. */
  readonly signal?: AbortSignal;
}

/** What a fleet runs. */
export interface FleetStatus {
  readonly states: readonly ClusterState[];
  readonly history: History;
  /** Who did not answer, and why: the answer is then a part of the whole. */
  readonly faults: readonly string[];
  /** End of the certificates of Arc identities, ISO, by cluster. */
  readonly certificates: ReadonlyMap<string, string>;
  /** When it was asked, ISO. */
  readonly asOf: string;
}

/** Clusters asked at once by their own APIs. */
const parallel = 16;

/**
 * Asks what clusters should run and run: Git, and of each cluster Azure, else the cluster itself. Who cannot be asked is
 * said, never taken for ready. The one way to ask, for status, waits, promotions and guards alike.
 */
export async function askFleet(
  fleet: Pick<Fleet, "repository">,
  clusters: readonly Cluster[],
  options: AskOptions,
): Promise<FleetStatus> {
  const now = options.now();
  const deadline = AbortSignal.timeout(options.timeout);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const { url, branch } = fleet.repository;
  const behindAzure = clusters.filter(({ platform }) => platform === "arc");
  const [git, azure] = await Promise.all([
    askGit(clusters, url, { ...options.git, signal }),
    behindAzure.length > 0 ? askAzureAt(behindAzure, options, signal) : nothingOfAzure([]),
  ]);
  const told = new Map<string, Told>(azure.told);
  const reasons = new Map<string, string>();
  const open = clusters.filter(({ name }) => !told.has(name));
  await inParallel(open, parallel, async (cluster) => {
    const why = cluster.platform === "arc" ? azureReason(cluster, azure) : [];
    try {
      const api = signal.aborted ? undefined : await options.context(contextOf(cluster), signal);
      if (api !== undefined) told.set(cluster.name, await askCluster(api, now));
      else why.push(signal.aborted ? "time was up" : `the kubeconfig has no context ${contextOf(cluster)}`);
    } catch (error) {
      why.push((error as Error).message);
    }
    reasons.set(cluster.name, why.join("; "));
  });
  const context = { history: git.history, now, committedTo: branch, url };
  const states = clusters.map((cluster) =>
    judgeCluster(
      cluster,
      git.wanted.get(cluster.name) ?? { branch: cluster.follows, pins: {} },
      told.get(cluster.name) ?? { notAsked: reasons.get(cluster.name) ?? "nobody was asked" },
      context,
    ),
  );
  return {
    ...{ states, history: git.history, certificates: azure.certificates, asOf: now.toISOString() },
    faults: [...git.faults, ...azure.faults],
  };
}

async function askAzureAt(
  clusters: readonly Cluster[],
  { azure }: AskOptions,
  signal: AbortSignal,
): Promise<FromAzure> {
  try {
    return await askAzure(clusters, await azure(), signal);
  } catch (error) {
    return nothingOfAzure([`Azure could not be asked: ${(error as Error).message}`]);
  }
}

function nothingOfAzure(faults: readonly string[]): FromAzure {
  return { told: new Map(), certificates: new Map(), faults };
}

function azureReason({ arc }: Cluster, { faults }: FromAzure): string[] {
  return faults.length > 0
    ? ["Azure did not answer"]
    : [`Azure has no connected cluster of that name in ${arc.resourceGroup} that you may read`];
}
