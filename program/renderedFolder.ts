import type { Cluster, Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";

const known = new WeakMap<Cluster, Readonly<Record<string, string>>>();

/** The generated files of a cluster, with the encrypted ones of its secrets where somebody has the values. Rendered once, although the checks need them before the resources do. */
export function renderedFolder(
  cluster: Cluster,
  fleet: Fleet,
  sealed: () => Readonly<Record<string, string>> = () => ({}),
): Readonly<Record<string, string>> {
  let files = known.get(cluster);
  if (files === undefined) known.set(cluster, (files = renderClusterFolder(cluster, fleet, sealed())));
  return files;
}
