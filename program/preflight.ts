import type { AgentsChart } from "../components/agentsChart.ts";
import { type Checkup, checkAzure, checkChart, checkClusters, needsOf } from "../doctor/index.ts";
import type { Cluster } from "../fleet/model.ts";
import type { AzureLook } from "./azureLook.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";
import { kubeconfigReader } from "./kubeconfigs.ts";

/** For all that is looked at, in milliseconds. */
const patience = 30_000;

/**
 * What the doctor finds wrong with what clusters need that an update connects, or connects anew: a provider that nobody
 * registered would fail each of them after its files are committed. What could not be looked at fails by itself.
 */
export async function preflight(
  clusters: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
  replaced: ReadonlySet<string>,
  look: AzureLook,
  chart: AgentsChart,
): Promise<string[]> {
  const due = clusters.filter(
    (one) =>
      one.platform === "arc" && one.lifecycle === "active" && (isNew(one, former) || replaced.has(one.name)),
  );
  if (due.length === 0) return [];
  const signal = AbortSignal.timeout(patience);
  const installs = due.filter(({ agents }) => agents === "install");
  const checkups = await Promise.all([
    "fault" in look ? [] : checkAzure(needsOf(due, look.access.subscriptions[0]), look.access, signal),
    installs.length === 0 ? [] : checkChart(chart, signal),
    installs.length === 0 ? [] : onClusters(installs, signal),
  ]);
  return checkups
    .flat()
    .filter(({ state }) => state === "error")
    .map(sentence);
}

/** Whether the last update did not bring the cluster into Azure. */
export function isNew(cluster: Cluster, former: Readonly<Record<string, FormerCluster>>): boolean {
  return formerOf(cluster, former)?.arcId === undefined;
}

function sentence({ about, text, mend }: Checkup): string {
  return `${about}: ${text}. Nothing was changed.${mend === undefined ? "" : ` ${mend}`}`;
}

async function onClusters(clusters: readonly Cluster[], signal: AbortSignal): Promise<Checkup[]> {
  const kubeconfigOf = await kubeconfigReader();
  const questions = clusters.map((cluster) => ({ cluster, isNew: true }));
  return checkClusters(questions, ({ kubeconfig }) => kubeconfigOf(kubeconfig), signal);
}
