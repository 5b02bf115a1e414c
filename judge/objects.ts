import { asMap, asText, type YamlMap } from "../values/maps.ts";
import type { BuiltObject } from "./subject.ts";

/** An object of a build, read from its plain value. */
export function builtObject(value: YamlMap, file?: string): BuiltObject {
  const apiVersion = asText(value["apiVersion"]) ?? "";
  const { name, namespace } = asMap(value["metadata"]);
  return {
    value,
    apiVersion,
    group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "",
    kind: asText(value["kind"]) ?? "",
    namespace: asText(namespace) ?? "",
    name: asText(name) ?? "",
    ...(file !== undefined && { file }),
  };
}

/** What makes two objects the same one on the cluster, whatever version of the API they are written in. */
export function identityOf({ group, kind, namespace, name }: BuiltObject): string {
  return `${group}/${kind} ${namespace}/${name}`;
}

/** How messages name an object: `Deployment shop/web`, `Namespace shop`. */
export function describe({
  kind,
  namespace,
  name,
}: Pick<BuiltObject, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** An object with its file in front, where that is known: `apps/web/a.yaml: Deployment shop/web`. */
export function locate(object: BuiltObject): string {
  return object.file === undefined ? describe(object) : `${object.file}: ${describe(object)}`;
}

const fluxPrefix = "kustomize.toolkit.fluxcd.io/";

/** Value of one of Flux's annotations or labels, which it takes alike: `prune`, `reconcile`, `ssa`, `substitute`. */
export function fluxMark(
  { value }: BuiltObject,
  name: "prune" | "reconcile" | "ssa" | "substitute",
): string | undefined {
  const { annotations, labels } = asMap(value["metadata"]);
  return asText(asMap(annotations)[`${fluxPrefix}${name}`]) ?? asText(asMap(labels)[`${fluxPrefix}${name}`]);
}

export const groups = {
  kustomize: "kustomize.toolkit.fluxcd.io",
  source: "source.toolkit.fluxcd.io",
  helm: "helm.toolkit.fluxcd.io",
  image: "image.toolkit.fluxcd.io",
  crd: "apiextensions.k8s.io",
  clusterApi: "cluster.x-k8s.io",
} as const;

/** Whether it is a Flux object of that group and kind. */
export function isKind({ group, kind }: BuiltObject, ofGroup: string, ofKind: string): boolean {
  return group === ofGroup && kind === ofKind;
}

/** Whether it is a Kustomization or a source of Flux: what others come from. */
export function isFluxObject({ group }: BuiltObject): boolean {
  return group === groups.kustomize || group === groups.source;
}

/** Whether Kubernetes brings the kind itself: its group has no dot, or ends in `k8s.io` and is not made by a CRD. */
export function isBuiltIn({ group }: BuiltObject): boolean {
  return builtInGroups.has(group);
}

const builtInGroups = new Set([
  "",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "extensions",
  "flowcontrol.apiserver.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
]);

/** Kinds of Kubernetes itself that live in no namespace, with their groups. */
const clusterScoped = new Set(
  [
    "/Namespace /Node /PersistentVolume",
    "admissionregistration.k8s.io/MutatingWebhookConfiguration admissionregistration.k8s.io/ValidatingWebhookConfiguration",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicy admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
    "apiextensions.k8s.io/CustomResourceDefinition apiregistration.k8s.io/APIService",
    "certificates.k8s.io/CertificateSigningRequest flowcontrol.apiserver.k8s.io/FlowSchema",
    "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration networking.k8s.io/IngressClass node.k8s.io/RuntimeClass",
    "rbac.authorization.k8s.io/ClusterRole rbac.authorization.k8s.io/ClusterRoleBinding",
    "scheduling.k8s.io/PriorityClass storage.k8s.io/CSIDriver storage.k8s.io/StorageClass",
  ].flatMap((line) => line.split(" ")),
);

/** Whether an object lives in no namespace, as far as Kubernetes itself knows its kind. */
export function isClusterScoped({ group, kind }: BuiltObject): boolean {
  return clusterScoped.has(`${group}/${kind}`);
}

/** Group and kind that a CustomResourceDefinition brings; undefined for any other object. */
export function definedKind(object: BuiltObject): string | undefined {
  if (!isKind(object, groups.crd, "CustomResourceDefinition")) return undefined;
  const { group, names } = asMap(object.value["spec"]);
  return `${asText(group) ?? ""}/${asText(asMap(names)["kind"]) ?? ""}`;
}
