import { type Cluster, fluxNamespace, setNamespaces } from "../../fleet/model.ts";
import { fluxOfController } from "../../flux/controller.ts";
import type { Evidence } from "../evidence.ts";
import { fluxObject, type FluxObject } from "../fluxObject.ts";
import { Unreachable } from "./clusterError.ts";
import type { ApiKind, KubernetesApi } from "./kubernetesApi.ts";

/** Kinds of Flux, by how the API names them. */
export const fluxKinds = {
  GitRepository: { group: "source.toolkit.fluxcd.io", version: "v1", plural: "gitrepositories" },
  OCIRepository: { group: "source.toolkit.fluxcd.io", version: "v1", plural: "ocirepositories" },
  Bucket: { group: "source.toolkit.fluxcd.io", version: "v1", plural: "buckets" },
  Kustomization: { group: "kustomize.toolkit.fluxcd.io", version: "v1", plural: "kustomizations" },
  HelmRelease: { group: "helm.toolkit.fluxcd.io", version: "v2", plural: "helmreleases" },
} as const satisfies Readonly<Record<string, ApiKind>>;
export type FluxKind = keyof typeof fluxKinds;

const deployments: ApiKind = { group: "apps", version: "v1", plural: "deployments" };

/** What a cluster's own API tells. One that does not answer is offline; rejects with Refused where it does not let us in. */
export async function askCluster(
  api: KubernetesApi,
  cluster: Pick<Cluster, "sets">,
  now: Date,
): Promise<Evidence> {
  const namespaces = [fluxNamespace, ...setNamespaces(cluster)];
  const asOf = now.toISOString();
  try {
    const kinds = Object.entries(fluxKinds) as [FluxKind, ApiKind][];
    const [lists, controller] = await Promise.all([
      Promise.all(kinds.map(([kind, path]) => listKind(api, kind, path, namespaces))),
      api.read(deployments, fluxNamespace, "kustomize-controller"),
    ]);
    const flux = controller && fluxOfController(controller)?.minor;
    return { source: "cluster", asOf, objects: lists.flat(), ...(flux !== undefined && { flux }) };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { source: "cluster", objects: [], offline: { reason: error.message } };
  }
}

/** Everything lies in the namespaces of the sets, but for the HelmReleases that they bring. */
async function listKind(
  api: KubernetesApi,
  kind: FluxKind,
  path: ApiKind,
  namespaces: readonly string[],
): Promise<FluxObject[]> {
  const places = kind === "HelmRelease" ? [undefined] : namespaces;
  const lists = await Promise.all(places.map((namespace) => api.list(path, namespace)));
  return lists.flat().map((object) => fluxObject(object, kind));
}

/** The context under which a cluster may be known: what the fleet file says, or, through cluster connect, its own name. */
export function contextOf({ kubeconfig, name }: Cluster): string {
  return kubeconfig !== undefined && "context" in kubeconfig ? kubeconfig.context : name;
}
