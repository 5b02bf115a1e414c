import type { ClusterApi, KubernetesObject } from "../../cluster/clusterApi.ts";

const kinds = [
  ["source.toolkit.fluxcd.io/v1", "GitRepository"],
  ["source.toolkit.fluxcd.io/v1", "OCIRepository"],
  ["source.toolkit.fluxcd.io/v1", "Bucket"],
  ["source.toolkit.fluxcd.io/v1", "HelmRepository"],
  ["kustomize.toolkit.fluxcd.io/v1", "Kustomization"],
  ["helm.toolkit.fluxcd.io/v2", "HelmRelease"],
] as const;

/** Every object of the kinds that Azure reports on, of all namespaces. */
export async function listFluxObjects(api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const lists = await Promise.all(kinds.map(([apiVersion, kind]) => api.list(apiVersion, kind)));
  return lists.flat();
}

/** Whether a Kustomization is going, and Flux still prunes what it applied. */
export function isGoing({ kind, metadata }: KubernetesObject): boolean {
  return kind === "Kustomization" && metadata["deletionTimestamp"] !== undefined;
}
