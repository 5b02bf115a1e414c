import { fluxNamespace, kustomizationName } from "../fleet/model.ts";
import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";

/* What an object of Flux says of itself, as the cluster's API lists it. */

/** `flux-workspace/old-pos`. */
export function keyOf(object: YamlMap): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

/** `pos`, or with its namespace where that is not Flux's own. */
export function shownName(object: YamlMap): string {
  return kustomizationName(nameOf(object), namespaceOf(object));
}

export function nameOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["name"]) ?? "";
}

export function namespaceOf(object: YamlMap): string {
  return asText(asMap(object["metadata"])["namespace"]) ?? "";
}

export function annotationOf(object: YamlMap, name: string): string | undefined {
  return asText(asMap(asMap(object["metadata"])["annotations"])[name]);
}

export function labelOf(object: YamlMap, name: string): string | undefined {
  return asText(asMap(asMap(object["metadata"])["labels"])[name]);
}

/** The GitRepository that a Kustomization takes: in its own namespace, unless it names another. */
export function gitRepositoryOf(
  object: YamlMap,
): { readonly namespace: string; readonly name: string } | undefined {
  const { kind, name, namespace } = asMap(asMap(object["spec"])["sourceRef"]);
  const source = asText(name);
  return kind === "GitRepository" && source !== undefined
    ? { namespace: asText(namespace) ?? namespaceOf(object), name: source }
    : undefined;
}

/** One entry of an inventory, as Flux writes it: `flux-system_settings__ConfigMap`. */
export interface Entry {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

/** What a Kustomization applied last. */
export function inventoryOf(object: YamlMap): Entry[] {
  return asList(asMap(asMap(object["status"])["inventory"])["entries"]).map((entry) => {
    const id = asText(asMap(entry)["id"]) ?? "";
    const [namespace = "", name = "", group = "", kind = ""] = id.split("_");
    return { id, namespace, name, group, kind };
  });
}

export function shownEntry({ kind, namespace, name }: Entry): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

/** Parts of Flux that `flux bootstrap` keeps in the root's folder. They stay as they are. */
export function isFluxItself({ namespace, name, kind }: Entry): boolean {
  if (kind === "Namespace" && name === fluxNamespace) return true;
  if (/^(Cluster)?Role(Binding)?$/.test(kind)) return /flux|cluster-reconciler|crd-controller/.test(name);
  return (
    namespace === fluxNamespace &&
    /^(Deployment|Service|ServiceAccount|NetworkPolicy|ResourceQuota)$/.test(kind) &&
    /controller|webhook-receiver|allow-|critical-pods/.test(name)
  );
}
