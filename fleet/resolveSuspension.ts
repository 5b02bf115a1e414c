import type { View } from "./layers.ts";
import { fluxNamespace, type ClusterSet, type ClusterSuspension, type Source } from "./model.ts";

/** What stops a cluster: the last word of its stage, its groups and itself. */
export function resolveSuspension({ holders }: View): ClusterSuspension | undefined {
  return holders.findLast(({ entry }) => entry.suspend !== undefined)?.entry.suspend ?? undefined;
}

/** A source that fetches no more. */
export function shut(source: Source): Source {
  return { ...source, spec: { ...source.spec, suspend: true } };
}

/** A set of the fleet's own repository, which no file in Git can stop fetching: suspended itself. */
export function stopped(set: ClusterSet, config: string, { reason, until }: ClusterSuspension): ClusterSet {
  const { name, namespace = fluxNamespace } = set.sourceRef;
  const isOwn = name === config && namespace === fluxNamespace && set.window === undefined;
  if (!isOwn || set.suspension !== undefined) return set;
  return { ...set, suspension: { reason, ...(until !== undefined && { until }) } };
}
