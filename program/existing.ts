import * as pulumi from "@pulumi/pulumi";

import type { Adopted } from "../components/adoption.ts";
import type { FluxBootstrapArgs } from "../components/fluxBootstrap.ts";
import {
  azureRefusals,
  bring,
  clusterRefusals,
  findInAzure,
  type FoundInAzure,
  findOnCluster,
  findUnconnected,
  type OnCluster,
  type Unconnected,
} from "../existing/index.ts";
import { isReached } from "../fleet/management.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { azureNext, inParallel, type KubernetesApi } from "../status/index.ts";
import { printable, showSome } from "../values/show.ts";
import type { AzureLook, Seen } from "./azureLook.ts";
import type { FormerCluster } from "./formerClusters.ts";
import { type KubeconfigOf, kubeconfigReader } from "./kubeconfigs.ts";
import { readStateNames, type StateNames } from "./stateNames.ts";

/** What an update would create although it is there, and of which clusters nobody could tell. */
export interface Existing {
  readonly refused: readonly string[];
  readonly unasked: readonly string[];
  /** Where Azure could not be asked: clusters of which the state has nothing there. */
  readonly left?: { readonly why: string; readonly next: string; readonly clusters: readonly string[] };
  /** What Azure has of clusters that take it over, by their names. */
  readonly adopted: ReadonlyMap<string, FluxBootstrapArgs["adopted"]>;
  /** Clusters of which Azure has nothing of Flux, and that it could bring none to now. */
  readonly unconnected: Unconnected;
}

const nothing: Existing = {
  ...{ refused: [], unasked: [], adopted: new Map() },
  unconnected: { absent: [], away: new Map() },
};

/** For all clusters together, in milliseconds. */
const patience = 60_000;
/** Clusters asked at once by their own APIs. */
const parallel = 16;

/**
 * Looks where clusters that the last update did not have would get their Flux objects: what is in Azure or on the cluster
 * already, and not in the state of the stack, ends in a conflict after the files are committed. Of the others nothing is
 * asked.
 */
export async function findExisting(
  fleet: Fleet,
  former: Readonly<Record<string, FormerCluster>>,
  look: AzureLook,
): Promise<Existing> {
  const fresh = fleet.clusters.filter((cluster) => cluster.lifecycle !== "lost" && !isKnown(cluster, former));
  if (fresh.length === 0) return nothing;
  const state = await readStateNames();
  const signal = AbortSignal.timeout(patience);
  const [azure, clusters] = await Promise.all([
    inAzure(fresh, fleet, state, look),
    onClusters(fresh, fleet, state, signal),
  ]);
  return {
    refused: [...azure.refused, ...clusters.refused],
    unasked: clusters.unasked,
    ...(azure.left && { left: azure.left }),
    adopted: azure.adopted,
    unconnected: azure.unconnected,
  };
}

function isKnown(
  { name, formerly = name, config }: Cluster,
  former: Readonly<Record<string, FormerCluster>>,
) {
  return [name, formerly].some(
    (one) => Object.hasOwn(former, one) && former[one]?.bootstrap === `${config}-bootstrap`,
  );
}

async function inAzure(
  fresh: readonly Cluster[],
  fleet: Fleet,
  state: StateNames,
  look: AzureLook,
): Promise<Existing> {
  const lacking = (cluster: Cluster, type: string, suffix: string): boolean =>
    !hasOf(state, cluster, `azure-native:${type}`, suffix);
  const connecting = (cluster: Cluster): boolean =>
    cluster.agents === "install" && lacking(cluster, "kubernetes:ConnectedCluster", "connected");
  const extending = (cluster: Cluster): boolean =>
    lacking(cluster, "kubernetesconfiguration:Extension", "flux");
  const configuring = (cluster: Cluster): boolean =>
    lacking(cluster, "kubernetesconfiguration:FluxConfiguration", "configuration");
  const asked = fresh.filter(
    (one) => one.platform === "arc" && (connecting(one) || extending(one) || configuring(one)),
  );
  if (asked.length === 0) return nothing;
  // What is there already in part is tried all the same: a cluster that is not registered would be deleted.
  const isNowhere = (one: Cluster): boolean =>
    extending(one) && configuring(one) && (one.agents === "present" || connecting(one));
  const clusters = asked.filter(isNowhere).map(({ name }) => name);
  if ("fault" in look) return { ...nothing, left: { why: look.fault, next: look.next, clusters } };
  try {
    const waiting = asked.filter((one) => one.agents === "present" && isNowhere(one));
    const [found, unconnected] = await Promise.all([
      findInAzure(asked, look.rows, fleet.repository, look.access, look.signal),
      findUnconnected(waiting, look.rows, look.access, look.signal),
    ]);
    const inTheWay = asked.flatMap((cluster) => {
      const one = found.get(cluster.name);
      if (one === undefined) return [];
      const { extension, configuration, arcId, overlap } = one;
      const left = {
        ...{ arcId, ...(overlap !== undefined && { overlap }) },
        ...(extension !== undefined && extending(cluster) && { extension }),
        ...(configuration !== undefined && configuring(cluster) && { configuration }),
      };
      return [[cluster.name, left] as const];
    });
    const names = new Set(asked.filter(connecting).map(({ name }) => name));
    const adopting = new Set(
      asked.filter(({ adopts, agents }) => adopts === true && agents === "present").map(({ name }) => name),
    );
    // A configuration with sets of its own is taken over by nobody: its sets would go.
    const taken = inTheWay.filter(
      ([name, one]) => adopting.has(name) && one.configuration?.isOurs !== false && one.overlap === undefined,
    );
    const left = inTheWay.filter((one) => !taken.includes(one));
    return {
      ...nothing,
      refused: azureRefusals(new Map(left), (name) => names.has(name)),
      unconnected,
      adopted: new Map(taken.map(([name, one]) => [name, adoptedOf(name, one, look)])),
    };
  } catch (error) {
    return { ...nothing, left: { why: look.words(error), next: azureNext(error), clusters } };
  }
}

function adoptedOf(
  cluster: string,
  { extension, configuration }: FoundInAzure,
  { access, words }: Seen,
): NonNullable<FluxBootstrapArgs["adopted"]> {
  const by = (id: string): Adopted => ({
    id,
    async bring(wanted) {
      try {
        await bring(id, wanted, access);
      } catch (error) {
        throw new pulumi.RunError(
          `${cluster}: Azure refused to change what adopt takes over, ${id}: ${words(error)}. Mend that there, and run again.`,
        );
      }
    },
  });
  return {
    ...(extension !== undefined && { extension: by(extension) }),
    ...(configuration !== undefined && { configuration: by(configuration.id) }),
  };
}

async function onClusters(
  fresh: readonly Cluster[],
  fleet: Fleet,
  state: StateNames,
  signal: AbortSignal,
): Promise<Existing> {
  const asked = fresh.filter(
    (one) =>
      one.platform === "kubernetes" &&
      isReached(one) &&
      !(
        hasOf(state, one, "kubernetes:source.toolkit.fluxcd.io/v1:GitRepository", "repository") &&
        hasOf(state, one, "kubernetes:kustomize.toolkit.fluxcd.io/v1:Kustomization", "bootstrap")
      ),
  );
  if (asked.length === 0) return nothing;
  const found = new Map<string, OnCluster>();
  const unknown: (readonly [Cluster, string])[] = [];
  const kubeconfigOf = await kubeconfigReader();
  await inParallel(asked, parallel, async (cluster) => {
    try {
      const api = await openCluster(cluster, kubeconfigOf, signal);
      if (api === undefined) throw new Error("its context is not in the kubeconfig");
      found.set(cluster.name, await findOnCluster(cluster, fleet.repository, api));
    } catch (error) {
      unknown.push([cluster, (error as Error).message]);
    }
  });
  const [first] = unknown;
  return {
    ...nothing,
    refused: clusterRefusals(found),
    unasked:
      first === undefined
        ? []
        : [
            unasked(
              "The cluster",
              unknown.map(([one]) => one),
              first[1],
            ),
          ],
  };
}

async function openCluster(
  { kubeconfig }: Cluster,
  kubeconfigOf: KubeconfigOf,
  signal: AbortSignal,
): Promise<KubernetesApi | undefined> {
  const { openContext } = await import("../status/ask/kubernetesApi.ts");
  const config = kubeconfigOf(kubeconfig);
  return config && openContext(config, undefined, { timeout: 10_000, signal });
}

/** Whether the state has a resource of a cluster, under the name that it has now or had before. */
function hasOf(state: StateNames, { name, formerly = name }: Cluster, type: string, suffix: string): boolean {
  return state.has(type, `${name}-${suffix}`) || state.has(type, `${formerly}-${suffix}`);
}

function unasked(
  who: string,
  clusters: readonly Cluster[],
  why: string,
  next = "Check its kubeconfig",
): string {
  const names = showSome(clusters.map(({ name }) => name));
  const reason = printable(why).replace(/\.+$/, "");
  return `${who} could not be asked whether ${names} ${clusters.length > 1 ? "have" : "has"} Flux already (${reason}). ${next}, and run again`;
}
