import type * as pulumi from "@pulumi/pulumi";

import type { Lifecycle } from "../fleet/model.ts";
import type { FluxFolder } from "./fluxFolder.ts";

/** What becomes of a cluster: part of the arguments of whatever is on it. */
export interface Leaving {
  /** Defaults to `active`. */
  readonly lifecycle?: Lifecycle;
  /**
   * Which device of this name it is, the first being 1. With a higher number what is on the cluster is made anew on the
   * next device, and the old one is asked nothing. Without it a device cannot be replaced.
   */
  readonly hardware?: number;
}

/**
 * Options of a resource that is on a cluster, or that Azure deletes only once the cluster has answered. Of a lost cluster
 * it is let go without a question: the state forgets it, and in Azure it goes with the record of the cluster.
 *
 * So it is of a device that is replaced. The engine goes by what the last update said, so that each says it; a cluster that
 * is retired is cleaned up as ever.
 */
export function onCluster({ lifecycle = "active", hardware }: Leaving): pulumi.CustomResourceOptions {
  const isLetGo = lifecycle === "lost" || (lifecycle === "active" && hardware !== undefined);
  return {
    ...(isLetGo && { retainOnDelete: true }),
    ...(hardware !== undefined && { replacementTrigger: hardware }),
  };
}

/**
 * What Flux follows comes after the committed files, and so goes before them. One that is leaving has them, and no more
 * waits: a cluster that is off must not keep its files in Git.
 */
export function afterFiles({ lifecycle }: Leaving, folder: FluxFolder): FluxFolder[] {
  return lifecycle === undefined || lifecycle === "active" ? [folder] : [];
}
