import type { AzureAccess } from "../status/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { checkAzure } from "./azure/checkAzure.ts";
import { needsOf } from "./azure/needs.ts";
import { checkChart, type Chart } from "./chart.ts";
import { checkClusters, type KubeconfigOf } from "./checkClusters.ts";
import { checkGit } from "./checkGit.ts";
import { checkMachine } from "./machine.ts";
import type { Checkup } from "./checkup.ts";

/** What a whole examination takes from around it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly azure: () => Promise<AzureAccess>;
  readonly kubeconfigOf: KubeconfigOf;
  readonly chart: Chart;
  /** Names of clusters that Azure has already; rejects where it could not be asked. */
  readonly inAzure: (clusters: readonly Cluster[], access: AzureAccess) => Promise<ReadonlySet<string>>;
  readonly signal: AbortSignal;
}

/** Everything that an update of these clusters needs, looked at together: machine, Git, Azure, clusters, chart. */
export async function examine(
  { repository }: Pick<Fleet, "repository">,
  clusters: readonly Cluster[],
  { env, azure, kubeconfigOf, chart, inAzure, signal }: Surroundings,
): Promise<Checkup[]> {
  const access = await azure();
  const needs = needsOf(clusters, access.subscriptions[0]);
  const installs = clusters.some(({ platform, agents }) => platform === "arc" && agents === "install");
  const [machine, git, fromAzure, charts, onClusters] = await Promise.all([
    checkMachine(),
    checkGit(repository, env, signal),
    needs.length === 0 ? [] : checkAzure(needs, access, signal),
    installs ? checkChart(chart, signal) : [],
    inAzure(clusters, access)
      // Nobody knows then what is left over, and what the agents belong to.
      .catch(() => undefined)
      .then((known) =>
        checkClusters(
          clusters.map((cluster) => ({ cluster, isNew: known !== undefined && !known.has(cluster.name) })),
          kubeconfigOf,
          signal,
        ),
      ),
  ]);
  return [...machine, ...git, ...fromAzure, ...charts, ...onClusters];
}
