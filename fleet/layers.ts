import type { Path } from "./finding.ts";
import type { FleetFile } from "./schema.ts";
import type { ClusterEntry, LayerEntry } from "./schema/layer.ts";
import type { RingEntry } from "./schema/ring.ts";
import type { SetFields } from "./schema/set.ts";
import { matchable, matches } from "./labels.ts";
import { ringOf } from "./rings.ts";

export { matchable, matches };

/** A stage, a group or the cluster itself: what holds variables, sets, pins and the like for a cluster. */
export interface Holder {
  readonly path: Path;
  readonly entry: LayerEntry;
}

/** A cluster with what applies to it, in the order of precedence: its stage, groups in file order, its ring, itself. */
export interface View {
  readonly name: string;
  readonly entry: ClusterEntry;
  readonly groups: readonly string[];
  /** Its part of the stage, where that has parts. */
  readonly ring?: RingEntry;
  readonly holders: readonly Holder[];
}

/** One place of the fleet file that says something about a set. */
export interface Layer {
  /** Where it stands, such as `clusters.edge-device-0.sets.pos`. */
  readonly path: Path;
  readonly fields: Readonly<SetFields>;
  /** Set for `variables`, which count as the set's postBuild.substitute. */
  readonly variables?: true;
}

export function viewsOf(file: FleetFile): View[] {
  const groups = Object.entries(file.groups).map(([name, entry]) => ({
    name,
    holder: { path: ["groups", name], entry },
    match: Object.entries(entry.match),
  }));
  return Object.entries(file.clusters).map(([name, entry]) => {
    const labels = matchable(entry);
    const matching = groups.filter(({ match }) => matches(labels, match));
    const stage = own(file.stages, entry.stage);
    const rings = stage?.rings ?? [];
    const ring = ringOf(entry.stage ?? "", rings, name, entry);
    return {
      name,
      entry,
      groups: matching.map((group) => group.name),
      ...(ring && { ring }),
      holders: [
        ...(stage ? [{ path: ["stages", entry.stage!], entry: stage }] : []),
        ...matching.map(({ holder }) => holder),
        ...(ring?.pins ? [ringHolder(entry.stage!, rings.indexOf(ring), ring)] : []),
        { path: ["clusters", name], entry },
      ],
    };
  });
}

/** Every stage, group and cluster of the file, and the rings of stages. */
export function allHolders(file: FleetFile): Holder[] {
  const rings = Object.entries(file.stages).flatMap(([stage, entry]) =>
    (entry.rings ?? []).map((ring, index) => ringHolder(stage, index, ring)),
  );
  const others = (["stages", "groups", "clusters"] as const).flatMap((section) =>
    Object.entries<LayerEntry>(file[section]).map(([name, entry]) => ({ path: [section, name], entry })),
  );
  return [...others, ...rings];
}

function ringHolder(stage: string, index: number, { pins }: RingEntry): Holder {
  return { path: ["stages", stage, "rings", index], entry: { pins } };
}

/** An entry by its name; names that objects have by nature are none. */
export function own<T>(map: Readonly<Record<string, T>>, name: string | null | undefined): T | undefined {
  return name != null && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Names of the sets that a cluster takes: the last layer that mentions a set decides, and null opts out. */
export function takenSets(view: View): Set<string> {
  return takenKeys(view, "sets");
}

/** The same for `sets` and `apps`. */
export function takenKeys(view: View, section: "sets" | "apps"): Set<string> {
  const taken = new Set<string>();
  for (const { entry } of view.holders) {
    const map = entry[section];
    for (const name in map) {
      if (map[name] === null) taken.delete(name);
      else taken.add(name);
    }
  }
  return taken;
}

/**
 * What the file says about a set of a cluster, in the order of precedence: a later layer wins. All defaults come first, so
 * that they never override what a set itself says: the fleet's, the stage's, the groups', the cluster's. Then the shared
 * set; then what stage, groups and cluster say, each its variables before its entry for the set.
 */
export function setLayers(file: FleetFile, view: View, set: string, implied?: SetFields): Layer[] {
  const layers: Layer[] = [{ path: ["defaults"], fields: file.defaults }];
  for (const { path, entry } of view.holders) {
    if (entry.idle !== undefined) layers.push({ path, fields: { idle: entry.idle } });
    if (entry.defaults) layers.push({ path: [...path, "defaults"], fields: entry.defaults });
  }
  if (implied) layers.push({ path: ["clusters", view.name, "apps"], fields: implied });
  const shared = own(file.sets, set);
  if (shared) layers.push({ path: ["sets", set], fields: shared });
  for (const { path, entry } of view.holders) {
    if (entry.variables)
      layers.push({ path, fields: { postBuild: { substitute: entry.variables } }, variables: true });
    const fields = own(entry.sets ?? {}, set);
    if (fields) layers.push({ path: [...path, "sets", set], fields });
  }
  return layers;
}

/** The path of the layer that has the last word on a field, with the field; undefined when none states it. */
export function originOf(layers: readonly Layer[], field: string): Path | undefined {
  const layer = layers.findLast(
    ({ fields, variables }) => !variables && (fields as Record<string, unknown>)[field] !== undefined,
  );
  return layer && [...layer.path, field];
}

/** The path of a value inside a field, such as `["postBuild", "substitute", "site_code"]`. */
export function originOfPath(layers: readonly Layer[], inner: Path): Path | undefined {
  const [field = "", part, key] = inner;
  const mergedMap = field === "labels" || field === "annotations";
  if (field === "postBuild" && part === "substitute" && key !== undefined) {
    const layer = layers.findLast(({ fields }) => Object.hasOwn(fields.postBuild?.substitute ?? {}, key));
    if (layer) return [...layer.path, ...(layer.variables ? ["variables", key] : inner)];
  } else if ((field === "postBuild" || mergedMap) && part !== undefined) {
    const layer = layers.findLast(
      ({ fields, variables }) => !variables && Object.hasOwn(fields[field as "labels"] ?? {}, part),
    );
    if (layer) return [...layer.path, ...inner];
  }
  const origin = originOf(layers, String(field));
  return origin && [...origin, ...inner.slice(1)];
}

/** Where a set stands: the last layer that is its own, be it the shared one. */
export function placeOf(layers: readonly Layer[], cluster: string): Path {
  const layer = layers.findLast(({ path, variables }) => !variables && path.at(-1) !== "defaults");
  return layer?.path ?? ["clusters", cluster];
}
