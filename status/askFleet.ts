import type { Cluster, Fleet } from "../fleet/model.ts";
import type { GitContext } from "../git/index.ts";
import { askAzure, type FromAzure } from "./ask/askAzure.ts";
import { askCluster, contextOf } from "./ask/askCluster.ts";
import { askGit } from "./ask/askGit.ts";
import type { AzureAccess } from "./ask/azureAccess.ts";
import { inParallel } from "./ask/inParallel.ts";
import type { KubernetesApi } from "./ask/kubernetesApi.ts";
import { isEvidence, type Told } from "./evidence.ts";
import type { History } from "./history.ts";
import { judgeCluster } from "./judge/judgeCluster.ts";
import type { ClusterState } from "./model.ts";
import { sayOnce } from "./sayOnce.ts";

/** How a fleet is asked. */
export interface AskOptions {
  readonly git: GitContext;
  /** Opens Azure; only called where a cluster is behind it. */
  readonly azure: () => Promise<AzureAccess>;
  /** Opens a context of the user's kubeconfig; undefined where it has none of that name. */
  readonly context: (name: string, signal: AbortSignal) => Promise<KubernetesApi | undefined>;
  readonly now: () => Date;
  /** Asks the clusters themselves first, and Azure of those that do not answer; else the other way round. */
  readonly direct?: boolean;
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
  /** When a cluster last told Azure how its configuration fares, ISO, by name; null where it never did. */
  readonly toldAt: ReadonlyMap<string, string | null>;
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
  const { url, branch, expires } = fleet.repository;
  const told = new Map<string, Told>();
  const reasons = new Map(clusters.map(({ name }) => [name, [] as string[]]));
  const say = ({ name }: Cluster, reason: string): unknown => reasons.get(name)?.push(reason);
  const certificates = new Map<string, string>();
  const toldAt = new Map<string, string | null>();
  const faults: string[] = [];
  const open = (): Cluster[] => clusters.filter(({ name }) => !isAnswer(told.get(name)));

  const askAzureOfThose = async (): Promise<void> => {
    const behind = open().filter(({ platform }) => platform === "arc");
    if (behind.length === 0) return;
    const found = await askAzureAt(behind, options, signal);
    faults.push(...found.faults);
    for (const [name, end] of found.certificates) certificates.set(name, end);
    for (const [name, time] of found.toldAt) toldAt.set(name, time);
    for (const cluster of behind) {
      const one = found.told.get(cluster.name);
      if (one !== undefined && isEvidence(one)) told.set(cluster.name, one);
      else say(cluster, one?.notAsked ?? azureReason(cluster, found));
    }
  };
  const askClusters = (): Promise<void> =>
    inParallel(open(), parallel, async (cluster) => {
      try {
        const api = signal.aborted ? undefined : await options.context(contextOf(cluster), signal);
        if (api !== undefined) told.set(cluster.name, await askCluster(api, cluster, now));
        else
          say(
            cluster,
            signal.aborted ? "time was up" : `the kubeconfig has no context ${contextOf(cluster)}`,
          );
      } catch (error) {
        say(cluster, (error as Error).message);
      }
    });
  const askThem = async (): Promise<void> => {
    const ways = [askAzureOfThose, askClusters];
    for (const ask of options.direct === true ? ways.reverse() : ways) await ask();
  };
  const [git] = await Promise.all([
    askGit(clusters, url, { tokenEnds: expires, ...options.git, signal }),
    askThem(),
  ]);
  const context = { history: git.history, now, committedTo: branch, url, tokenEnds: expires };
  const states = clusters.map((cluster) =>
    judgeCluster(
      cluster,
      git.wanted.get(cluster.name) ?? { branch: cluster.follows, pins: {} },
      told.get(cluster.name) ?? { notAsked: reasons.get(cluster.name)?.join("; ") ?? "" },
      context,
    ),
  );
  return {
    ...{ states, history: git.history, certificates, toldAt, asOf: now.toISOString() },
    faults: sayOnce([...git.faults, ...faults]),
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
  return { told: new Map(), certificates: new Map(), toldAt: new Map(), faults };
}

function azureReason({ arc }: Cluster, { faults }: FromAzure): string {
  return faults.length > 0
    ? "Azure did not answer"
    : `Azure has no connected cluster of that name in ${arc.resourceGroup} that you may read`;
}

/** Whether nobody else need be asked: a cluster that gave no answer may still be known to Azure. */
function isAnswer(told: Told | undefined): boolean {
  return told !== undefined && isEvidence(told) && (told.offline === undefined || told.source === "azure");
}
