import { show } from "../../values/show.ts";
import { fluxNamespace, type Cluster, type ClusterSet } from "../model.ts";

/**
 * What applies a set of a cluster, by the names that people write for it: the bootstrap, and the Kustomization of the
 * set's window. Returns why a set cannot wait for it; undefined for any other name.
 */
export function parentFault(
  { config }: Pick<Cluster, "config">,
  { window }: Pick<ClusterSet, "window">,
  { name, namespace = fluxNamespace }: { readonly name: string; readonly namespace?: string | undefined },
): string | undefined {
  if (namespace !== fluxNamespace) return undefined;
  const isBootstrap = name === "bootstrap" || name === `${config}-bootstrap`;
  if (!isBootstrap && (window === undefined || name !== `window-${window}`)) return undefined;
  return `depends on ${show(name)}, which applies the set itself and may wait for it in turn; drop the entry: Flux creates the set only once that has been applied`;
}
