/** Kinds whose spec can be checked, each with the API version that all known minors serve. */
export const crdKinds = {
  Kustomization: "kustomize.toolkit.fluxcd.io/v1",
  GitRepository: "source.toolkit.fluxcd.io/v1",
  OCIRepository: "source.toolkit.fluxcd.io/v1",
  Bucket: "source.toolkit.fluxcd.io/v1",
  ExternalArtifact: "source.toolkit.fluxcd.io/v1",
  Provider: "notification.toolkit.fluxcd.io/v1beta3",
  Alert: "notification.toolkit.fluxcd.io/v1beta3",
} as const;
export type CrdKind = keyof typeof crdKinds;
