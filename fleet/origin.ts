import type { Path } from "./finding.ts";
import { originOfPath, placeOf, setLayers, type Layer, type View } from "./layers.ts";
import type { Cluster } from "./model.ts";
import { appsSet, impliedApps } from "./resolveSets.ts";
import type { FleetFile } from "./schema.ts";
import { valueAt } from "./withoutFaults.ts";

/** The layers of a set as resolving sees them, those that `apps` implies among them. */
export function layersOf(file: FleetFile, view: View, cluster: Cluster, set: string): Layer[] {
  const implied =
    set === appsSet && cluster.apps.length > 0
      ? impliedApps(new Set(cluster.sets.map(({ name }) => name)), cluster.folder)
      : undefined;
  return setLayers(file, view, set, implied);
}

/** Where a field of a set comes from, `inner` from the set down; the set itself where nothing states the field. */
export function originOfField(layers: readonly Layer[], cluster: string, inner: Path): Path {
  return (inner.length > 0 ? originOfPath(layers, inner) : undefined) ?? placeOf(layers, cluster);
}

interface Where {
  readonly file: FleetFile;
  readonly fleet: { readonly clusters: readonly Cluster[] };
  readonly views: readonly View[];
}

/**
 * The path of the fleet file that a path of the resolved fleet comes from; undefined for other paths. Understands
 * `clusters.<name>.` with `sets.<set>…`, `apps.<app>…`, `variables.<name>`, `flux.<field>` and `pins.<source>`; a source
 * that no pin is for states its own ref.
 */
export function originIn({ file, fleet, views }: Where, path: Path): Path | undefined {
  const [section, name, part, key, ...inner] = path;
  if (section !== "clusters" || typeof key !== "string") return undefined;
  const index = views.findIndex((view) => view.name === name);
  const [view, cluster] = [views[index], fleet.clusters[index]];
  if (!view || !cluster) return undefined;
  if (part === "sets" && cluster.sets.some((set) => set.name === key)) {
    return originOfField(layersOf(file, view, cluster, key), cluster.name, inner);
  }
  if (part !== "apps" && part !== "variables" && part !== "pins" && part !== "flux") return undefined;
  const within = part === "apps" && inner[0] !== undefined ? [part, key, inner[0]] : [part, key];
  const holder = view.holders.findLast(({ entry }) => valueAt(entry, within) != null);
  if (holder === undefined && part === "flux") return [part, key];
  if (holder === undefined && part === "pins") return ["sources", key];
  return holder && [...holder.path, ...path.slice(2)];
}
