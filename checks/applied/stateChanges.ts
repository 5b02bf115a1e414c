import { isDeepStrictEqual } from "node:util";
import type { Plain, PlainMap } from "../../fleet/model.ts";
import { asMap, asText, isMap } from "../../values/maps.ts";
import type { AppliedObject, ClusterState } from "./clusterState.ts";
import type { Unbuilt } from "./foundSets.ts";

/** One field that means something else: `spec.replicas`, with undefined for what is not there. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Plain;
  readonly to?: Plain;
}

/** What happens to one object on a cluster. `leaves`: nothing applies it any more, and it stays as it is. */
export interface ObjectChange {
  readonly what: "created" | "changed" | "deleted" | "leaves";
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly set: string;
  readonly file: string;
  /** Whether its pods are replaced. */
  readonly restarts: boolean;
  readonly fields: readonly FieldChange[];
}

export interface StateChanges {
  /** Objects of Flux first, then all others; each by kind, namespace and name. */
  readonly objects: readonly ObjectChange[];
  /** Sets of which nothing can be said, after or before. */
  readonly unbuilt: readonly Unbuilt[];
}

const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** What changes on a cluster between two states of the repository. Of sets that cannot be built in both, nothing is said. */
export function stateChanges(before: ClusterState, after: ClusterState): StateChanges {
  const dark = new Set([...before.unbuilt, ...after.unbuilt].map(({ set }) => set));
  const [old, fresh] = [objectsOf(before, dark), objectsOf(after, dark)];
  const pruning = new Map(before.sets.map(({ name, spec }) => [name, prunes(spec)]));
  const objects: ObjectChange[] = [];
  for (const [key, applied] of fresh) {
    const previous = old.get(key);
    if (previous === undefined) objects.push(changeOf("created", applied));
    else {
      const fields = fieldChanges(shown(previous.object), shown(applied.object));
      if (!isDeepStrictEqual(previous.object, applied.object))
        objects.push(changeOf("changed", applied, fields));
    }
  }
  for (const [key, applied] of old) {
    if (!fresh.has(key)) objects.push(changeOf(stays(applied, pruning) ? "leaves" : "deleted", applied));
  }
  return { objects: objects.sort(inOrder), unbuilt: unknown(before.unbuilt, after.unbuilt, objects) };
}

/** Sets that may change unseen: built on one side alone, or with a Kustomization that changes. */
function unknown(
  before: readonly Unbuilt[],
  after: readonly Unbuilt[],
  objects: readonly ObjectChange[],
): Unbuilt[] {
  const [old, fresh] = [before, after].map((all) => new Map(all.map((each) => [each.set, each])));
  const changed = new Set(objects.filter(({ kind }) => kind === "Kustomization").map(({ name }) => name));
  return [...new Map([...old!, ...fresh!]).values()]
    .filter(({ set }) => changed.has(set) || !old!.has(set) || !fresh!.has(set))
    .sort((one, other) => (one.set < other.set ? -1 : 1));
}

function objectsOf({ sets }: ClusterState, dark: ReadonlySet<string>): Map<string, AppliedObject> {
  const all = sets.filter(({ name }) => !dark.has(name)).flatMap(({ objects }) => objects);
  return new Map(all.map((applied) => [identity(applied.object), applied]));
}

/** Group, kind, namespace and name: another version of an API is the same object. */
function identity(object: PlainMap): string {
  const { namespace, name } = asMap(object["metadata"]);
  return JSON.stringify([group(object), object["kind"], namespace ?? "", name]);
}

function group(object: PlainMap): string {
  const version = asText(object["apiVersion"]) ?? "";
  return version.includes("/") ? version.slice(0, version.indexOf("/")) : "";
}

function prunes(spec: PlainMap): boolean {
  return spec["prune"] === true && spec["suspend"] !== true && spec["deletionPolicy"] !== "Orphan";
}

function stays({ object, set }: AppliedObject, pruning: ReadonlyMap<string, boolean>): boolean {
  const { labels, annotations } = asMap(object["metadata"]);
  const mark = "kustomize.toolkit.fluxcd.io/prune";
  const isKept = [labels, annotations].some((map) => asMap(map)[mark] === "disabled");
  return isKept || pruning.get(set) !== true;
}

function changeOf(
  what: ObjectChange["what"],
  { object, set, file }: AppliedObject,
  fields: readonly FieldChange[] = [],
): ObjectChange {
  const { namespace, name } = asMap(object["metadata"]);
  const kind = asText(object["kind"]) ?? "";
  return {
    what,
    apiVersion: asText(object["apiVersion"]) ?? "",
    kind,
    namespace: asText(namespace) ?? "",
    name: asText(name) ?? "",
    set,
    file,
    restarts: workloads.has(kind) && fields.some(({ field }) => /^spec\.template(\.|$)/.test(field)),
    fields,
  };
}

/** What an API server makes of an object, by what it says before and after; nothing where it is the same. */
export function serverChange(
  applied: AppliedObject,
  before: PlainMap | undefined,
  after: PlainMap,
): ObjectChange[] {
  if (before === undefined) return [changeOf("created", applied)];
  const [old, fresh] = [withoutServers(before), withoutServers(after)];
  if (isDeepStrictEqual(old, fresh)) return [];
  return [changeOf("changed", applied, fieldChanges(shown(old), shown(fresh)))];
}

/** Without what only servers and controllers write. */
function withoutServers(object: PlainMap): PlainMap {
  const own = /^(managedFields|resourceVersion|generation|uid|creationTimestamp)$/;
  const kept = Object.entries(asMap(object["metadata"])).filter(([name]) => !own.test(name));
  const fields = Object.entries(object).filter(([name]) => name !== "status");
  return { ...Object.fromEntries(fields), metadata: Object.fromEntries(kept) as PlainMap };
}

/** A Secret's values are nobody's business, not even as a change. */
function shown(object: PlainMap): PlainMap {
  return object["kind"] === "Secret" ? hideValues(object) : object;
}

/** An object with the values of a Secret hidden; any other one as it is. */
export function hideValues(object: PlainMap): PlainMap {
  if (object["kind"] !== "Secret") return object;
  const hidden = (value: Plain | undefined): Plain =>
    Object.fromEntries(Object.keys(asMap(value)).map((key) => [key, "(hidden)"]));
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      /^(data|stringData)$/.test(key) ? hidden(value) : value,
    ]),
  );
}

/** Fields that differ, down to the smallest ones; entries of a list by their name, else by their place. */
export function fieldChanges(from: Plain | undefined, to: Plain | undefined, field = ""): FieldChange[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (isMap(from) && isMap(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) =>
      fieldChanges(from[key] as Plain, to[key] as Plain, field === "" ? key : `${field}.${key}`),
    );
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const [old, fresh] = [byName(from), byName(to)];
    const keys = [...new Set([...old.keys(), ...fresh.keys()])];
    return keys.flatMap((key) => fieldChanges(old.get(key), fresh.get(key), `${field}[${key}]`));
  }
  return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

function byName(list: readonly Plain[]): Map<string, Plain> {
  return new Map(list.map((entry, index) => [asText(asMap(entry)["name"]) ?? String(index), entry]));
}

/** Flux's own objects decide on all others, so they come first. */
function inOrder(one: ObjectChange, other: ObjectChange): number {
  const key = ({ apiVersion, kind, namespace, name }: ObjectChange): string =>
    `${/\.toolkit\.fluxcd\.io\//.test(apiVersion) ? 0 : 1} ${kind} ${namespace} ${name}`;
  return key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0;
}
