import type { Cluster, ClusterSet } from "../fleet/model.ts";

/** Whether a set takes its manifests from the fleet's own repository, on the branch that is committed to. */
export function isOwnSource({ sourceRef }: ClusterSet, cluster: Cluster, branch: string): boolean {
  const { kind, name, namespace } = sourceRef;
  if (kind !== "GitRepository" || (namespace ?? "flux-system") !== "flux-system") return false;
  if (name === cluster.config) return true;
  const source = cluster.sources.find((each) => each.kind === kind && each.name === name);
  if (!source?.self) return false;
  const ref = source.spec["ref"];
  if (typeof ref !== "object" || ref === null || Array.isArray(ref)) return false;
  const { branch: follows, ...pins } = ref as { readonly branch?: unknown };
  return follows === branch && Object.keys(pins).length === 0;
}
