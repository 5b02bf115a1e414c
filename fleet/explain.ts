import { formatPath, type Path } from "./finding.ts";
import { ownSpec } from "./idle.ts";
import { originOf, originOfPath, own, type Layer, type View } from "./layers.ts";
import type { Loaded, Origin } from "./load.ts";
import type { Cluster, ClusterSet, Plain } from "./model.ts";
import { layersOf } from "./origin.ts";
import { pinOf } from "./resolveSources.ts";
import { spanText } from "./window/spans.ts";
import { isMap } from "../values/maps.ts";
import { valueAt } from "./withoutFaults.ts";

/** One resolved value with where it comes from. */
export interface Row {
  /** From the cluster down, such as `flux.version` or `sets.pos.interval`. */
  readonly path: string;
  readonly value: Plain;
  /** What states it: `defaults`, `sets.pos`, `groups.canary`, `clusters.edge-0`, and `built in` where the file does not. */
  readonly layer: string;
  /** Where it stands; absent when it is built in. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * The resolved values of a cluster and of its sets, or of one of its sets, each with where it comes from. Undefined where
 * there is no fleet, no such cluster or no such set. A null value was taken away on purpose,
 * be it a field or a whole set.
 */
export function explainCluster({ origin }: Loaded, cluster: string, set?: string): Row[] | undefined {
  const index = origin?.views.findIndex(({ name }) => name === cluster) ?? -1;
  if (origin === undefined || index < 0) return undefined;
  const [found, view] = [origin.fleet.clusters[index]!, origin.views[index]!];
  const sets = found.sets.filter(({ name }) => set === undefined || name === set);
  const rows = new Rows(origin);
  if (set === undefined) explainValues(rows, origin, found, view);
  for (const each of sets) explainSet(rows, each, found, layersOf(origin.file, view, found, each.name));
  explainOptedOut(rows, view, "sets", set);
  if (set === undefined) explainOptedOut(rows, view, "apps");
  return set !== undefined && rows.all.length === 0 ? undefined : rows.all;
}

/** What the last layer that mentions it says null to. */
function explainOptedOut(rows: Rows, { holders }: View, section: "sets" | "apps", only?: string): void {
  const names = new Set(holders.flatMap(({ entry }) => Object.keys(entry[section] ?? {})));
  for (const name of names) {
    if (only !== undefined && name !== only) continue;
    const holder = holders.findLast(({ entry }) => own<unknown>(entry[section] ?? {}, name) !== undefined);
    if (holder === undefined || own<unknown>(holder.entry[section] ?? {}, name) !== null) continue;
    const from = [...holder.path, section, name];
    rows.add([section, name], null, from, from.length);
  }
}

/** Looks up where a path of the fleet file stands. */
class Rows {
  readonly all: Row[] = [];
  readonly #origin: Origin;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** `holder` is the length of the path of what states it; the rest leads to the value inside. */
  add(path: Path, value: unknown, from: Path | undefined, holder: number): void {
    const { documents } = this.#origin;
    const stated = from !== undefined && valueAt(documents.data, from) !== undefined;
    this.all.push({
      path: formatPath(path),
      value: value as Plain,
      layer: stated ? formatPath(from.slice(0, holder)) : "built in",
      ...(stated && documents.position(from)),
    });
  }
}

function explainValues(rows: Rows, { file }: Origin, cluster: Cluster, view: View): void {
  const at = ["clusters", view.name];
  /** The last of fleet, stage, groups and cluster that states something. */
  const last = (...inner: Path): Path => {
    const holder = view.holders.findLast(({ entry }) => valueAt(entry, inner) !== undefined);
    return [...(holder?.path ?? []), ...inner];
  };
  const addLast = (inner: Path, value: unknown) => {
    const from = last(...inner);
    rows.add(inner, value, from, from.length > inner.length ? 2 : 1);
  };
  const map = (field: string, values: Readonly<Record<string, unknown>>) => {
    for (const key in values) rows.add([field, key], values[key], [...at, field, key], 2);
  };

  if (cluster.stage !== undefined) rows.add(["stage"], cluster.stage, [...at, "stage"], 2);
  const branch = own(file.stages, cluster.stage)?.branch !== undefined;
  const followed = branch ? ["stages", cluster.stage!, "branch"] : ["repository", "branch"];
  rows.add(["follows"], cluster.follows, followed, branch ? 2 : 1);
  rows.add(["lifecycle"], cluster.lifecycle, [...at, "lifecycle"], 2);
  if (cluster.role !== undefined) rows.add(["role"], cluster.role, [...at, "role"], 2);
  if (cluster.managedBy !== undefined) rows.add(["managedBy"], cluster.managedBy, [...at, "managedBy"], 2);
  map("labels", cluster.labels);
  map("attributes", cluster.attributes);
  if (view.entry.folder === undefined) rows.add(["folder"], cluster.folder, ["layout", "cluster"], 1);
  else rows.add(["folder"], cluster.folder, [...at, "folder"], 2);
  rows.add(["fluxFolder"], cluster.fluxFolder, ["layout", "flux"], 1);
  rows.add(["setsFolder"], cluster.setsFolder, ["layout", "sets"], 1);
  rows.add(["config"], cluster.config, ["config"], 1);
  addLast(["platform"], cluster.platform);
  addLast(["agents"], cluster.agents);
  if (cluster.adopts) addLast(["adopt"], true);
  if (cluster.kubeconfig) addLast(["kubeconfig"], cluster.kubeconfig);
  if (cluster.device) rows.add(["device"], cluster.device, [...at, "device"], 2);
  addLast(["flux", "version"], cluster.flux.version);
  addLast(["flux", "lockdown"], cluster.flux.lockdown);
  if (cluster.flux.syncsItself) addLast(["flux", "sync"], "self");
  if (cluster.flux.install) addLast(["flux", "manifests"], cluster.flux.install.manifests);
  if (cluster.platform === "arc") {
    const { name, formerly, arc } = cluster;
    if (arc.name !== (formerly ?? name)) addLast(["arc", "name"], arc.name);
    if (arc.subscription !== undefined) addLast(["arc", "subscription"], arc.subscription);
    addLast(["arc", "resourceGroup"], arc.resourceGroup);
    addLast(["arc", "location"], cluster.arc.location);
    for (const [tag, value] of Object.entries(cluster.arc.tags)) addLast(["arc", "tags", tag], value);
    explainMap(["arc", "extension"], cluster.arc.extension ?? {}, addLast);
  }
  for (const [field, value] of Object.entries(cluster.bootstrap)) addLast(["bootstrap", field], value);
  if (cluster.fetchInterval !== cluster.bootstrap.interval)
    addLast(["repository", "interval"], cluster.fetchInterval);
  for (const [field, value] of Object.entries(cluster.suspension ?? {})) addLast(["suspend", field], value);
  if (cluster.idle) addLast(["idle"], true);
  const variables = new Set(view.holders.flatMap(({ entry }) => Object.keys(entry.variables ?? {})));
  for (const name of variables) {
    const from = last("variables", name);
    rows.add(["variables", name], valueAt(file, from), from, 2);
  }
  for (const { name, kind, spec, self } of cluster.sources) {
    const at = ["sources", name];
    rows.add([...at, "kind"], kind, [...at, "kind"], 2);
    for (const [field, value] of Object.entries(spec)) {
      if (value === undefined || field === "ref") continue;
      const own = self && field === "url";
      rows.add([...at, field], value, own ? ["repository", "url"] : [...at, field], own ? 1 : 2);
    }
    if (spec["ref"] === undefined) continue;
    if (pinOf(view, name)) rows.add([...at, "ref"], spec["ref"], last("pins", name), 2);
    else if (valueAt(file, [...at, "ref"]) !== undefined)
      rows.add([...at, "ref"], spec["ref"], [...at, "ref"], 2);
    else rows.add([...at, "ref"], spec["ref"], followed, branch ? 2 : 1);
  }
  for (const { name, spans, settle, pulses } of cluster.windows) {
    const at = ["windows", name];
    rows.add([...at, "spans"], spans.map(spanText), at, 2);
    rows.add([...at, "settle"], `${settle}m`, [...at, "settle"], 2);
    rows.add(
      [...at, "pulses"],
      pulses.map(({ schedule, timeZone }) => `${schedule} ${timeZone}`),
      at,
      2,
    );
  }
  for (const { name, patches, resource } of cluster.apps)
    rows.add(["apps", name], { resource, ...(patches && { patches }) }, last("apps", name), 2);
  for (const { name } of cluster.alerts) rows.add(["alerts", name], "on", ["alerts", name], 2);
}

/** Each smallest value of a map that layers are merged into. */
function explainMap(at: Path, map: object, add: (path: Path, value: unknown) => void): void {
  for (const [key, value] of Object.entries(map) as [string, unknown][]) {
    if (isMap(value)) explainMap([...at, key], value, add);
    else if (value !== undefined) add([...at, key], value);
  }
}

function explainSet(rows: Rows, set: ClusterSet, cluster: Cluster, layers: readonly Layer[]): void {
  const at = ["sets", set.name];
  const add = (inner: Path, value: unknown, from = originOfPath(layers, inner)) => {
    const holding = layers.filter(({ path }) => path.every((part, depth) => part === from?.[depth]));
    // A cluster holds its variables and its sets, which are the nearer place.
    const holder = Math.max(1, ...holding.map(({ path }) => path.length));
    rows.add([...at, ...inner], value, from, holder);
  };

  const { path, postBuild, ...spec } = ownSpec(set);
  add(["path"], path, originOf(layers, "path") ?? ["layout", "sets"]);
  const source = layers.findLast(
    ({ fields }) => fields.source !== undefined || fields.sourceRef !== undefined,
  );
  const by = source?.fields.sourceRef ? "sourceRef" : "source";
  add(["sourceRef"], set.sourceRef, source && [...source.path, by]);
  if (set.dependsOn.length > 0) add(["dependsOn"], set.dependsOn);
  if (set.window !== undefined) add(["window"], set.window);
  if (set.tenant !== undefined) add(["tenant"], set.tenant);
  if (set.suspension) add(["suspend"], set.suspension);
  if (set.idle ?? cluster.idle) add(["idle"], set.idle === true);
  for (const [field, value] of Object.entries(spec)) if (value !== undefined) add([field], value);
  for (const field of ["labels", "annotations"] as const)
    for (const [key, value] of Object.entries(set[field])) add([field, key], value);
  for (const [field, value] of Object.entries((postBuild ?? {}) as object)) {
    if (field !== "substitute") add(["postBuild", field], value);
    else
      for (const key in value as object)
        add(["postBuild", field, key], (value as Record<string, Plain>)[key]);
  }
  // What a null took away, and the `wait` that health checks switched off.
  const stated = new Set(layers.flatMap(({ fields, variables }) => (variables ? [] : Object.keys(fields))));
  for (const field of stated) {
    const from = originOf(layers, field);
    const layer = layers.findLast(({ fields }) => own(fields, field) !== undefined);
    if (from && own(layer?.fields ?? {}, field) === null && field !== "source") add([field], null, from);
  }
  const waits = own(layers.findLast(({ fields }) => fields.wait !== undefined)?.fields ?? {}, "wait");
  if (waits === true && spec["wait"] === undefined) add(["wait"], false, originOf(layers, "healthChecks"));
}
