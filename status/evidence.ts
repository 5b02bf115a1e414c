import type { FluxObject } from "./fluxObject.ts";

/** What Azure or the cluster itself told of a cluster. */
export interface Evidence {
  readonly source: "azure" | "cluster";
  /** When the source last heard of the cluster, ISO. */
  readonly asOf?: string;
  /** Flux objects of the namespace flux-system, and HelmReleases of all. */
  readonly objects: readonly FluxObject[];
  /** The cluster has not been heard of for too long; its objects are what it said last. */
  readonly offline?: { readonly reason: string; readonly since?: string };
  /** What is wrong with the cluster as a whole, such as an extension that is missing. */
  readonly fault?: string;
  /** Version of Flux, such as `2.7`. */
  readonly flux?: string;
  /** The folder that the bootstrap applies, from the root, where the source tells it for certain. */
  readonly follows?: string;
}

/** Nobody could be asked, and why: one reason for each source that was tried. */
export interface NotAsked {
  readonly notAsked: string;
}

export type Told = Evidence | NotAsked;

export function isEvidence(told: Told): told is Evidence {
  return !("notAsked" in told);
}
