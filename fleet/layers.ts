import type { Path } from "./finding.ts";
import type { FleetFile, SetFields } from "./schema.ts";

/** One place of the fleet file that says something about a set. */
export interface Layer {
  /** Where it stands, such as `clusters.edge-device-0.sets.pos`. */
  readonly path: Path;
  readonly fields: Readonly<SetFields>;
}

/**
 * What the file says about a set of a cluster, in the order of precedence: a later layer wins. Defaults come first, the
 * fleet's and then the cluster's, so that they never override what a set itself says; then the shared set; then the
 * cluster's own entry.
 */
export function setLayers(file: FleetFile, cluster: string, set: string): Layer[] {
  const entry = file.clusters[cluster];
  const layers: Layer[] = [{ path: ["defaults"], fields: file.defaults }];
  const add = (path: Path, fields: SetFields | null | undefined) => {
    if (fields) layers.push({ path, fields });
  };
  add(["clusters", cluster, "defaults"], entry?.defaults);
  if (Object.hasOwn(file.sets, set)) add(["sets", set], file.sets[set]);
  add(["clusters", cluster, "sets", set], entry?.sets?.[set]);
  return layers;
}

/** Fields whose maps are merged key by key; every other field is replaced as a whole, lists too. */
const merged = ["labels", "annotations"] as const;

/** The fields of a set once its layers are merged. */
export function mergeLayers(layers: readonly Layer[]): SetFields {
  const fields: SetFields = {};
  for (const layer of layers) {
    const maps = merged
      .filter((name) => layer.fields[name] !== undefined)
      .map((name) => [name, { ...fields[name], ...layer.fields[name] }]);
    Object.assign(fields, layer.fields, Object.fromEntries(maps));
  }
  return fields;
}

/** The path of the layer that has the last word on a field, with the field; undefined when none states it. */
export function originOf(layers: readonly Layer[], field: keyof SetFields): Path | undefined {
  const layer = layers.findLast(({ fields }) => fields[field] !== undefined);
  return layer && [...layer.path, field];
}
