import type { SourceTree, SourceView } from "../../build/index.ts";
import { type Cluster, type ClusterSet, fluxNamespace } from "../../fleet/model.ts";
import { asList, asMap, asText } from "../../values/maps.ts";
import type { RepositoryReaders } from "../repositoryReader.ts";

/** Where the manifests of a set come from: a branch that is at hand, or somewhere that is not looked at. */
export type SetSource =
  | { readonly branch: string; readonly view: SourceView }
  /** Ends a sentence "set X: …", such as `OCIRepository charts lies elsewhere`. */
  | { readonly elsewhere: string };

/** The source of a set, as far as the fleet's own repository goes. */
export function sourceOf({ sourceRef }: ClusterSet, cluster: Cluster): SetSource {
  const { kind, name, namespace = fluxNamespace } = sourceRef;
  const isOwn = kind === "GitRepository" && namespace === fluxNamespace;
  if (isOwn && name === cluster.config) return { branch: cluster.follows, view: {} };
  const source = isOwn ? cluster.sources.find((each) => each.kind === kind && each.name === name) : undefined;
  if (source?.self !== true) return { elsewhere: `${kind} ${name} lies elsewhere` };
  const { branch, ...pins } = asMap(source.spec["ref"]);
  const [pin] = Object.entries(pins);
  if (pin !== undefined) return { elsewhere: `${kind} ${name} is pinned to ${pin[0]} ${String(pin[1])}` };
  return { branch: asText(branch) ?? cluster.follows, view: viewOf(source.spec) };
}

function viewOf(spec: Readonly<Record<string, unknown>>): SourceView {
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
  /** As the repository has them, without the update. */
  readonly before: Pick<RepositoryReaders, "committed" | "followed">;
}
