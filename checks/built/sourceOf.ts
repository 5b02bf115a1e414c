import type { SourceTree, SourceView } from "../../build/index.ts";
import { type Cluster, type ClusterSet, fluxNamespace } from "../../fleet/model.ts";
import { asList, asMap, asText, type YamlMap } from "../../values/maps.ts";
import type { PinnedTrees } from "../pinnedTrees.ts";
import type { RepositoryReaders } from "../repositoryReader.ts";

/** Where the manifests of a set come from: a branch, another revision of the same repository, or somewhere else. */
export type SetSource =
  | { readonly branch: string; readonly view: SourceView }
  /** The `ref` of a source that does not follow a branch which clusters follow. */
  | { readonly ref: YamlMap; readonly view: SourceView }
  /** Ends a sentence "set X: …", such as `OCIRepository charts lies elsewhere`. */
  | { readonly elsewhere: string };

/** Specs of sources of the fleet's own repository by name; undefined for a source of another one. */
export type OwnSource = (name: string) => YamlMap | undefined;

/** The sources of a cluster that the fleet file declares. */
export function declaredSources({ sources }: Pick<Cluster, "sources">): OwnSource {
  return (name) =>
    sources.find((each) => each.kind === "GitRepository" && each.name === name && each.self)?.spec;
}

/** The source of a set, as far as the fleet's own repository goes. `follows`: branches that are read in any case. */
export function sourceOf(
  { sourceRef }: Pick<ClusterSet, "sourceRef">,
  cluster: Pick<Cluster, "config" | "follows">,
  ownSource: OwnSource,
  follows: { has(branch: string): boolean },
): SetSource {
  const { kind, name, namespace = fluxNamespace } = sourceRef;
  const isOwn = kind === "GitRepository" && namespace === fluxNamespace;
  if (isOwn && name === cluster.config) return { branch: cluster.follows, view: {} };
  const spec = isOwn ? ownSource(name) : undefined;
  if (spec === undefined) return { elsewhere: `${kind} ${name} lies elsewhere` };
  const ref = asMap(spec["ref"]);
  const { branch, ...pins } = ref;
  const isPinned = Object.keys(pins).length > 0;
  const followed = asText(branch) ?? cluster.follows;
  const view = viewOf(spec);
  return isPinned || !follows.has(followed) ? { ref, view } : { branch: followed, view };
}

/** What a source leaves in. */
export function viewOf(spec: YamlMap): SourceView {
  const ignore = asText(spec["ignore"]);
  const sparse = asList(spec["sparseCheckout"]).filter((folder) => typeof folder === "string");
  return {
    ...(ignore !== undefined && { ignore }),
    ...(sparse.length > 0 && { sparseCheckout: sparse }),
    ...(asList(spec["include"]).length > 0 && { includes: true }),
  };
}

/** Trees by branch, as an update leaves them. */
export interface Trees {
  readonly committed: SourceTree | undefined;
  readonly followed: ReadonlyMap<string, SourceTree>;
  readonly pinned: PinnedTrees;
  /** As the repository has them, without the update. */
  readonly before: Pick<RepositoryReaders, "committed" | "followed">;
}
