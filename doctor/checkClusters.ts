import type { KubeConfig } from "@kubernetes/client-node";
import type { whichFlux } from "../adopt/index.ts";
import { isReached } from "../fleet/management.ts";
import type { Cluster } from "../fleet/model.ts";
import { fluxInstanceLabel } from "../flux/fluxInstance.ts";
import { inParallel } from "../status/index.ts";
import { asMap, type YamlMap } from "../values/maps.ts";
import { showSome } from "../values/show.ts";
import type { Checkup } from "./checkup.ts";
import type { ClusterLook, Leftover } from "./lookAtCluster.ts";

/** Clusters asked at once. */
const parallel = 16;

/** What to look for on a cluster. */
export interface ClusterQuestion {
  readonly cluster: Pick<
    Cluster,
    "name" | "kubeconfig" | "device" | "platform" | "agents" | "managedBy" | "flux" | "config"
  >;
  /** Whether Azure has no connected cluster of its name: agents that are there are of an earlier installation. */
  readonly isNew: boolean;
}

/** Gives the kubeconfig of a cluster; undefined where this machine has none for it. Throws where it cannot be read. */
export type KubeconfigOf = (cluster: ClusterQuestion["cluster"]) => KubeConfig | undefined;

/**
 * Whether clusters that Arcflux reaches itself answer, let it do what it has to, and are free of what an earlier
 * installation left. Faults that many share are told once.
 */
export async function checkClusters(
  questions: readonly ClusterQuestion[],
  kubeconfigOf: KubeconfigOf,
  signal: AbortSignal,
): Promise<Checkup[]> {
  const reached = questions.filter(
    // Whoever has a device has its kubeconfig from the update that makes it: there is nobody to ask before.
    ({ cluster }) => cluster.device === undefined && isReached(cluster),
  );
  if (reached.length === 0) return [];
  // An update that asks no cluster loads neither.
  const [{ lookAtCluster }, { whichFlux }] = await Promise.all([
    import("./lookAtCluster.ts"),
    import("../adopt/index.ts"),
  ]);
  const found: (readonly [string, Checkup])[] = [];
  await inParallel(reached, parallel, async ({ cluster, isNew }) => {
    const { name } = cluster;
    try {
      const config = kubeconfigOf(cluster);
      if (config === undefined) found.push([name, noContext(cluster)]);
      else
        for (const one of judged(cluster, await lookAtCluster(config, signal), { isNew, whichFlux }))
          found.push([name, one]);
    } catch (error) {
      const [text = ""] = (error as Error).message.split("\n");
      found.push([name, { about: "cluster", state: "unknown", text: text.replace(/\.+$/, ""), mend: reach }]);
    }
  });
  return together(found);
}

const reach = "Check that the cluster is on, its kubeconfig, VPN and proxy";

function noContext({ kubeconfig, name }: ClusterQuestion["cluster"]): Checkup {
  const about = "cluster";
  if (kubeconfig !== undefined && "config" in kubeconfig)
    return {
      ...{
        about,
        state: "unknown",
        text: `its kubeconfig is stack config arcflux:${kubeconfig.config}, which only a preview can read`,
      },
      mend: "Run `pulumi preview`, which looks as well",
    };
  const context = kubeconfig === undefined ? "" : ` ${kubeconfig.context}`;
  return {
    ...{ about, state: "unknown", text: `the kubeconfig of this machine has no context${context}` },
    mend: `Name one that \`kubectl config get-contexts\` lists as kubeconfig of ${name}`,
  };
}

function judged(
  cluster: ClusterQuestion["cluster"],
  { version, isAdmin, leftovers, controllers }: ClusterLook,
  { isNew, whichFlux: which }: { readonly isNew: boolean; readonly whichFlux: typeof whichFlux },
): Checkup[] {
  const about = "cluster";
  const { kubeconfig } = cluster;
  const context = kubeconfig !== undefined && "context" in kubeconfig ? kubeconfig.context : undefined;
  if (!isAdmin)
    return [
      {
        ...{
          about,
          state: "error",
          text: "the kubeconfig is not that of a cluster-admin, which installing the agents takes",
        },
        mend: "kubectl create clusterrolebinding arcflux --clusterrole=cluster-admin --user=NAME",
      },
    ];
  const others = othersFlux(cluster, controllers, which);
  const found = [
    ...(isNew ? leftovers.map((one) => leftover(one, context)) : []),
    ...(others === undefined ? [] : [others]),
  ];
  if (found.length > 0) return found;
  return [{ about, state: "ok", text: `Kubernetes ${version} answers, as cluster-admin` }];
}

/** Somebody else's controllers on a cluster that is to get the extension, which does not take them over. */
function othersFlux(
  cluster: ClusterQuestion["cluster"],
  controllers: readonly YamlMap[],
  which: typeof whichFlux,
): Checkup | undefined {
  if (cluster.platform !== "arc") return undefined;
  const instances = controllers.filter((one) => fluxInstanceLabel in asMap(asMap(one["metadata"])["labels"]));
  // Azure is not asked here: as on a cluster without it, the controllers say themselves whose they are.
  const { by } = which({ ...cluster, platform: "kubernetes" }, { controllers, instances });
  if (by === "nobody" || by === "extension") return undefined;
  return {
    ...{
      about: "cluster",
      state: "error",
      text: `its controllers are those of ${by}, which Azure's extension does not take over`,
    },
    mend: "Write platform: kubernetes, and keep that Flux",
  };
}

function leftover({ kind, name, namespace }: Leftover, context: string | undefined): Checkup {
  const about = "cluster";
  const on = context === undefined ? "" : ` --context ${context}`;
  const text = `an earlier Azure Arc installation left ${kind} ${name}`;
  const mend =
    kind === "release"
      ? `helm uninstall ${name} --namespace ${namespace}${context === undefined ? "" : ` --kube-context ${context}`}`
      : `kubectl delete namespace ${name}${on}`;
  return { about, state: "error", text: `${text}${kind === "release" ? ` in ${namespace}` : ""}`, mend };
}

/** What many clusters have alike is said once; the command is then that of the first. */
function together(found: readonly (readonly [string, Checkup])[]): Checkup[] {
  const alike = Map.groupBy(found, ([, { state, text }]) => `${state} ${text}`);
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [, { text, ...rest }] = first;
    return [{ ...rest, text: `${showSome(group.map(([name]) => name).sort())}: ${text}` }];
  });
}
