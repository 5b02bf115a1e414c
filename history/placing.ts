import type { Cluster, Fleet } from "../fleet/model.ts";
import { folder, normalPath } from "../values/repositoryPath.ts";
import type { TreeChange } from "../git/index.ts";

/** What a path of the repository belongs to, by the fleet file as it is now. */
export interface Place {
  readonly cluster?: string;
  readonly set?: string;
  /** The generated Kustomization of the set. */
  readonly isSetFile?: boolean;
  /** Path below the folder of the cluster, which other clusters have too. */
  readonly name?: string;
}

export interface Placing {
  readonly placeOf: (path: string) => Place;
  /** Whether a change is about one of the clusters that are asked for. */
  readonly isIn: (change: Pick<TreeChange, "path">) => boolean;
}

/**
 * Tells sets and clusters by path. With `only`, changes count that lie in the folder of that cluster or in one that its
 * sets apply.
 */
export function placingOf(fleet: Pick<Fleet, "clusters">, only?: Cluster): Placing {
  const clusters = only === undefined ? fleet.clusters : [only];
  const byFolder = new Map<string, Place>();
  const byCluster = new Map<string, { readonly cluster: Cluster }>();
  for (const cluster of clusters) {
    byCluster.set(cluster.folder, { cluster });
    for (const { name, spec } of cluster.sets) {
      const path = folder(normalPath(spec.path));
      const isOwn = path === cluster.folder || path.startsWith(`${cluster.folder}/`);
      byFolder.set(path, { set: name, ...(isOwn && { cluster: cluster.name }) });
    }
    for (const { name, resource } of cluster.apps)
      byFolder.set(fromRoot(resource), { set: `apps-base (${name})` });
  }
  const placeOf = (path: string): Place => {
    for (const at of parentsOf(path)) {
      const found = byFolder.get(at);
      if (found !== undefined) return found;
      const owner = byCluster.get(at)?.cluster;
      if (owner !== undefined) return placeIn(owner, path);
    }
    return {};
  };
  return {
    placeOf,
    isIn: ({ path }) =>
      only === undefined || placeOf(path).set !== undefined || placeOf(path).cluster !== undefined,
  };
}

/** Of a file in the folder of a cluster: `flux/pos.yaml`, `windows/nightly/pos.yaml`. */
function placeIn({ name, folder: base, fluxFolder }: Cluster, path: string): Place {
  const at = path.slice(0, path.lastIndexOf("/"));
  const file = path.slice(path.lastIndexOf("/") + 1);
  const isThere = at === fluxFolder || at.startsWith(`${base}/windows/`);
  const set = /^(?!source-|window-|alert-|kustomization\.)(.+)\.yaml$/.exec(file)?.[1];
  return {
    cluster: name,
    name: path.slice(base.length + 1),
    ...(isThere && set !== undefined && { set, isSetFile: true }),
  };
}

function* parentsOf(path: string): Generator<string> {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    yield path.slice(0, end);
  yield "";
}

/** `../../../apps/pos` as the apps folder of a cluster lists it. */
function fromRoot(resource: string): string {
  return resource.replace(/^(\.\.\/)+/, "");
}
