import { type FluxMinor, isAtLeast } from "../values/fluxVersions.ts";
import type { BuiltObject } from "./subject.ts";

/** Versions of Kubernetes' own API by group: what served them last before they went, and what stands in their place. */
const kubernetes: readonly (readonly [versions: string, kinds: string, goneIn: string, instead: string])[] = [
  ["extensions/v1beta1", "Deployment DaemonSet ReplicaSet", "1.16", "apps/v1"],
  ["apps/v1beta1 apps/v1beta2", "", "1.16", "apps/v1"],
  ["extensions/v1beta1", "NetworkPolicy", "1.16", "networking.k8s.io/v1"],
  ["extensions/v1beta1 networking.k8s.io/v1beta1", "Ingress IngressClass", "1.22", "networking.k8s.io/v1"],
  ["apiextensions.k8s.io/v1beta1", "", "1.22", "apiextensions.k8s.io/v1"],
  [
    "admissionregistration.k8s.io/v1beta1",
    "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
    "1.22",
    "admissionregistration.k8s.io/v1",
  ],
  ["apiregistration.k8s.io/v1beta1", "", "1.22", "apiregistration.k8s.io/v1"],
  [
    "rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1",
    "",
    "1.22",
    "rbac.authorization.k8s.io/v1",
  ],
  ["scheduling.k8s.io/v1beta1", "", "1.22", "scheduling.k8s.io/v1"],
  ["coordination.k8s.io/v1beta1", "Lease", "1.22", "coordination.k8s.io/v1"],
  ["certificates.k8s.io/v1beta1", "CertificateSigningRequest", "1.22", "certificates.k8s.io/v1"],
  ["storage.k8s.io/v1beta1", "CSIDriver CSINode StorageClass VolumeAttachment", "1.22", "storage.k8s.io/v1"],
  ["batch/v1beta1", "CronJob", "1.25", "batch/v1"],
  ["discovery.k8s.io/v1beta1", "", "1.25", "discovery.k8s.io/v1"],
  ["events.k8s.io/v1beta1", "", "1.25", "events.k8s.io/v1"],
  ["policy/v1beta1", "PodDisruptionBudget", "1.25", "policy/v1"],
  ["policy/v1beta1 extensions/v1beta1", "PodSecurityPolicy", "1.25", ""],
  ["node.k8s.io/v1beta1", "", "1.25", "node.k8s.io/v1"],
  ["autoscaling/v2beta1", "", "1.25", "autoscaling/v2"],
  ["autoscaling/v2beta2", "", "1.26", "autoscaling/v2"],
  ["storage.k8s.io/v1beta1", "CSIStorageCapacity", "1.27", "storage.k8s.io/v1"],
  [
    "flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2",
    "",
    "1.29",
    "flowcontrol.apiserver.k8s.io/v1",
  ],
  ["flowcontrol.apiserver.k8s.io/v1beta3", "", "1.32", "flowcontrol.apiserver.k8s.io/v1"],
];

/** Versions of Flux's API: the first minor without them. */
const flux: readonly (readonly [versions: string, goneIn: FluxMinor, instead: string])[] = [
  ["kustomize.toolkit.fluxcd.io/v1beta1", "2.7", "v1"],
  ["source.toolkit.fluxcd.io/v1beta1", "2.7", "v1"],
  ["helm.toolkit.fluxcd.io/v2beta1", "2.7", "v2"],
  ["image.toolkit.fluxcd.io/v1beta1", "2.7", "v1"],
  ["notification.toolkit.fluxcd.io/v1beta1", "2.7", "v1beta3"],
  ["kustomize.toolkit.fluxcd.io/v1beta2", "2.8", "v1"],
  ["source.toolkit.fluxcd.io/v1beta2", "2.8", "v1"],
  ["helm.toolkit.fluxcd.io/v2beta2", "2.8", "v2"],
  ["notification.toolkit.fluxcd.io/v1beta2", "2.8", "v1beta3"],
  ["image.toolkit.fluxcd.io/v1beta2", "2.9", "v1"],
];

/** Why an object's API version is served no more, ending a sentence that names it; undefined for any other. */
export function retiredIn(
  { apiVersion, kind }: BuiltObject,
  fluxVersion: string,
): { readonly text: string } | undefined {
  const own = kubernetes.find(
    ([versions, kinds]) =>
      versions.split(" ").includes(apiVersion) && (kinds === "" || kinds.split(" ").includes(kind)),
  );
  if (own !== undefined) {
    const [, , goneIn, instead] = own;
    const next = instead === "" ? "take it out" : `write ${instead}`;
    return { text: `of ${apiVersion}, which Kubernetes ${goneIn} and later no longer serve; ${next}` };
  }
  const ofFlux = flux.find(([version, goneIn]) => version === apiVersion && isAtLeast(fluxVersion, goneIn));
  if (ofFlux === undefined) return undefined;
  const [version, goneIn, instead] = ofFlux;
  const group = version.slice(0, version.indexOf("/"));
  return {
    text: `of ${apiVersion}, which Flux ${goneIn} and later no longer serve; write ${group}/${instead}`,
  };
}
