/** Minor versions of Flux whose API is known, oldest first. */
export const fluxMinors = ["2.7", "2.8", "2.9", "2.10"] as const;
export type FluxMinor = (typeof fluxMinors)[number];

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
