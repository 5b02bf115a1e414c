import type { Cluster, ClusterSet, Source } from "../model.ts";
import { windowObject } from "./resolveWindows.ts";

/** How a source changes by itself; undefined for one that does not, and for the branch that the cluster follows. */
export function movesBy(source: Source, follows: string): string | undefined {
  const { ref = {}, include } = source.spec as {
    ref?: Readonly<Record<string, string>>;
    include?: unknown;
  };
  const { tag, semver, name, commit, digest, branch } = ref;
  if (source.kind === "Bucket") return "follows its bucket";
  if (include !== undefined) return "includes sources that are fetched";
  if (commit !== undefined || digest !== undefined) return undefined;
  if (semver !== undefined) return `follows ${semver}`;
  if (name !== undefined) return `follows ${name}`;
  if (tag !== undefined && tag !== "latest") return undefined;
  if (source.kind === "OCIRepository" || tag !== undefined) return "follows the tag latest";
  return isFollowed(source, follows) ? undefined : `follows branch ${branch ?? "master"}`;
}

/** Whether a source is what the cluster follows anyway, so that the window's own source holds the same. */
function isFollowed({ self, spec }: Source, follows: string): boolean {
  const { branch, ...pins } = (spec["ref"] ?? {}) as { readonly branch?: string };
  const plain = Object.keys(spec).every((field) => ["url", "ref", "interval", "timeout"].includes(field));
  return self && branch === follows && plain && Object.keys(pins).length === 0;
}

/**
 * What a windowed set takes in the place of its source: the window's own for the branch that the cluster follows, a copy
 * of a pinned one that lies in the window, and one that Arcflux does not make as it is.
 */
export function windowedSource(
  { sourceRef, window = "" }: ClusterSet,
  cluster: Pick<Cluster, "config" | "sources" | "follows">,
): { readonly sourceRef: ClusterSet["sourceRef"]; readonly copy?: Source } {
  const { kind, name } = sourceRef;
  const own = { kind: "GitRepository", name: windowObject(window) } as const;
  const here = sourceRef.namespace === undefined || sourceRef.namespace === "flux-system";
  if (here && kind === "GitRepository" && name === cluster.config) return { sourceRef: own };
  const source = here ? cluster.sources.find((one) => one.kind === kind && one.name === name) : undefined;
  if (source === undefined) return { sourceRef };
  if (isFollowed(source, cluster.follows)) return { sourceRef: own };
  // Names of windows and sources have no dot, so that none is taken twice.
  const copy = { ...source, name: `${own.name}.${source.name}` };
  return { sourceRef: { ...sourceRef, name: copy.name }, copy };
}

/** The sources of a cluster that sets outside of windows take, with those they include. */
export function liveSources({ sets, sources }: Pick<Cluster, "sets" | "sources">): Source[] {
  const taken = new Set<Source>();
  const take = (kind: string, name: string): void => {
    const source = sources.find((one) => one.kind === kind && one.name === name);
    if (source === undefined || taken.has(source)) return;
    taken.add(source);
    const { include = [] } = source.spec as { include?: readonly { repository: { name: string } }[] };
    for (const { repository } of include) take("GitRepository", repository.name);
  };
  for (const { window, sourceRef } of sets) if (window === undefined) take(sourceRef.kind, sourceRef.name);
  return sources.filter((source) => taken.has(source));
}

/** The copies of sources that lie in windows of a cluster. */
export function windowedCopies(cluster: Pick<Cluster, "config" | "sources" | "follows" | "sets">): Source[] {
  const copies = cluster.sets.flatMap((set) =>
    set.window === undefined ? [] : (windowedSource(set, cluster).copy ?? []),
  );
  return [...new Map(copies.map((copy) => [`${copy.kind}/${copy.name}`, copy])).values()];
}
