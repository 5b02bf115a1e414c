import { createHash } from "node:crypto";
import type { PlainMap } from "../fleet/model.ts";
import type { ApiObject, ObjectApi, ObjectRef } from "../status/index.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { ApplyError } from "./applyError.ts";
import { textOf } from "./order.ts";

/** The name in which fields are applied. */
export const manager = "arcflux";

/** An object that an apply brought. */
export interface Entry extends ObjectRef {
  /** Whether it was not there before: what was is never deleted. */
  readonly made: boolean;
  /** Whether its set deletes what leaves it. The set itself may be gone from Git when that is asked. */
  readonly prune: boolean;
}

/** What an earlier apply of a cluster left there; sets in the order in which they were applied. */
export type Inventory = ReadonlyMap<string, readonly Entry[]>;

/**
 * The ConfigMap that holds it. The namespace `default` is on every cluster. `cluster` may also be an owner, such as
 * `project/stack/cluster`, which is no name for an object.
 */
export function inventoryRef(cluster: string): ObjectRef {
  const hash = (): string => createHash("sha256").update(cluster).digest("hex").slice(0, 16);
  const name = `arcflux-${cluster.includes("/") ? hash() : cluster}`;
  return { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name };
}

/** Empty where there is none. Rejects with ApplyError where it says nothing that could be trusted. */
export async function readInventory(api: Pick<ObjectApi, "read">, cluster: string): Promise<Inventory> {
  const found = await api.read(inventoryRef(cluster));
  if (found === undefined) return new Map();
  const text = asText(asMap(found["data"])["inventory"]) ?? "";
  const sets = parsed(text);
  if (sets === undefined)
    throw new ApplyError([
      `${textOf(inventoryRef(cluster))} is not an inventory of arcflux, so nobody knows what an earlier apply made. Nothing was changed. Move it away, and what it listed stays.`,
    ]);
  return sets;
}

function parsed(text: string): Inventory | undefined {
  try {
    const all = asList(asMap(JSON.parse(text))["sets"]).map((set) => {
      const { name, objects } = asMap(set);
      return [asText(name) ?? "", asList(objects).map(entryOf)] as const;
    });
    return new Map(all);
  } catch {
    return undefined;
  }
}

function entryOf(value: unknown): Entry {
  const { apiVersion, kind, namespace, name, made, prune } = asMap(value);
  const [version, which, called] = [apiVersion, kind, name].map(asText);
  if (version === undefined || which === undefined || called === undefined) throw new Error("not an entry");
  return {
    apiVersion: version,
    kind: which,
    namespace: asText(namespace),
    name: called,
    made: made === true,
    prune: prune === true,
  };
}

export async function writeInventory(api: ObjectApi, cluster: string, sets: Inventory): Promise<void> {
  const { apiVersion, kind, namespace, name } = inventoryRef(cluster);
  const entries = [...sets].map(([set, objects]) => ({ name: set, objects }));
  const object: ApiObject = {
    ...{ apiVersion, kind },
    metadata: { namespace, name, labels: { "app.kubernetes.io/managed-by": manager } },
    data: { inventory: JSON.stringify({ cluster, sets: entries }) },
  };
  await api.apply(object, manager);
}

/** Names the cluster on each object that an apply brings; it also makes a manifest without fields one that is ours. */
const mark = "arcflux.io/applied-for";

/** A manifest as it is applied. */
export function marked(object: PlainMap, cluster: string): PlainMap {
  const metadata = asMap(object["metadata"]) as PlainMap;
  const annotations = { ...(metadata["annotations"] as PlainMap | undefined), [mark]: cluster };
  return { ...object, metadata: { ...metadata, annotations } };
}

/** Whether an object is still the one that an apply of the cluster brought: another of its name, made since, is not. */
export function isOurs(object: ApiObject, cluster: string): boolean {
  return ownerMark(object) === cluster;
}

/** For which cluster, or which owner, an apply brought an object; undefined where none did. */
export function ownerMark(object: ApiObject): string | undefined {
  return asText(asMap(asMap(object["metadata"])["annotations"])[mark]);
}
