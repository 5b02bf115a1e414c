import { asList, asMap, asText, documents, type YamlMap } from "./documents.ts";

/** An object of a manifest, as far as its identity and its dependencies go. */
export interface KubernetesObject {
  /** File, from the root of the repository. */
  readonly file: string;
  /** Group of its API version, empty for the core. */
  readonly group: string;
  readonly kind: string;
  /** flux-system where it says nothing: the bootstrap applies it. */
  readonly namespace: string;
  readonly name: string;
  readonly metadata: YamlMap;
  readonly spec: YamlMap;
}

const fluxNamespace = "flux-system";

/** The objects of a manifest, those in a List too; undefined where it is not YAML. */
export function kubernetesObjects(text: string, file: string): KubernetesObject[] | undefined {
  return documents(text)?.flatMap((document) => objects(document, file));
}

function objects(document: YamlMap, file: string): KubernetesObject[] {
  const kind = asText(document["kind"]);
  const apiVersion = asText(document["apiVersion"]);
  if (kind === undefined || apiVersion === undefined) return [];
  if (kind.endsWith("List") && Array.isArray(document["items"])) {
    return asList(document["items"]).flatMap((item) => objects(asMap(item), file));
  }
  const metadata = asMap(document["metadata"]);
  const name = asText(metadata["name"]);
  if (name === undefined) return [];
  return [
    {
      file,
      group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "",
      kind,
      namespace: asText(metadata["namespace"]) ?? fluxNamespace,
      name,
      metadata,
      spec: asMap(document["spec"]),
    },
  ];
}

/** What makes two objects the same one on the cluster, whatever version of the API they are written in. */
export function identity({
  group,
  kind,
  namespace,
  name,
}: Pick<KubernetesObject, "group" | "kind" | "namespace" | "name">): string {
  return `${group}/${kind} ${namespace}/${name}`;
}

/** How messages name an object. */
export function describe({ kind, namespace, name }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** Whether an object is a Flux Kustomization. */
export function isFluxKustomization({ group, kind }: KubernetesObject): boolean {
  return group === "kustomize.toolkit.fluxcd.io" && kind === "Kustomization";
}

/** What a Flux Kustomization waits for, as `namespace/name`. */
export function dependencies({ spec, namespace }: KubernetesObject): string[] {
  return asList(spec["dependsOn"]).flatMap((entry) => {
    const { name, namespace: other } = asMap(entry);
    const target = asText(name);
    return target === undefined ? [] : [`${asText(other) ?? namespace}/${target}`];
  });
}
