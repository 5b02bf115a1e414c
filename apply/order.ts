import { asMap, asText, type YamlMap } from "../values/maps.ts";
import type { ObjectRef } from "../status/index.ts";

/** Which object a manifest is. */
export function refOf(object: YamlMap): ObjectRef {
  const { namespace, name } = asMap(object["metadata"]);
  return {
    apiVersion: asText(object["apiVersion"]) ?? "",
    kind: asText(object["kind"]) ?? "",
    namespace: asText(namespace),
    name: asText(name) ?? "",
  };
}

/** The same for the same object, whatever version of its API a manifest is written in. */
export function keyOf({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return [group, kind, namespace, name].join("|");
}

/** `Deployment shop/web`, for people. */
export function textOf({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** What others need before they can be there at all. */
export function isGround({ kind }: Pick<ObjectRef, "kind">): boolean {
  return kind === "Namespace" || kind === "CustomResourceDefinition";
}

/** Kinds that others need first; those that check others come last. */
const first = [
  "Namespace",
  "CustomResourceDefinition",
  "PriorityClass",
  "StorageClass",
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
  "ConfigMap",
  "Secret",
  "Service",
  "PersistentVolume",
  "PersistentVolumeClaim",
];
const last = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService"];

/** In the order in which they are applied; the other way round is the one in which they go. */
export function inOrder<T extends Pick<ObjectRef, "kind">>(objects: readonly T[]): T[] {
  const rank = ({ kind }: T): number => {
    const [early, late] = [first.indexOf(kind), last.indexOf(kind)];
    return early >= 0 ? early : late >= 0 ? first.length + 1 + late : first.length;
  };
  return objects
    .map((object, index) => [rank(object), index, object] as const)
    .sort(([one, a], [other, b]) => one - other || a - b)
    .map(([, , object]) => object);
}
