import type { Cluster, Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";

const known = new WeakMap<Cluster, Readonly<Record<string, string>>>();

/** The generated files of a cluster. Rendered once, although the checks need them before the resources do. */
export function renderedFolder(cluster: Cluster, fleet: Fleet): Readonly<Record<string, string>> {
  let files = known.get(cluster);
  if (files === undefined) known.set(cluster, (files = renderClusterFolder(cluster, fleet)));
  return files;
}
