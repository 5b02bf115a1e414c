import type * as pulumi from "@pulumi/pulumi";

import type { Lifecycle } from "../fleet/model.ts";
import type { FluxFolder } from "./fluxFolder.ts";

/** What becomes of a cluster: part of the arguments of whatever is on it. */
export interface Leaving {
  /** Defaults to `active`. */
  readonly lifecycle?: Lifecycle;
}

/**
 * Options of a resource that is on a cluster, or that Azure deletes only once the cluster has answered. Of a lost cluster
 * it is let go without a question: the state forgets it, and in Azure it goes with the record of the cluster.
 */
export function onCluster({ lifecycle }: Leaving): pulumi.CustomResourceOptions {
  return lifecycle === "lost" ? { retainOnDelete: true } : {};
}

/**
 * What Flux follows comes after the committed files, and so goes before them. One that is leaving has them, and no more
 * waits: a cluster that is off must not keep its files in Git.
 */
export function afterFiles({ lifecycle }: Leaving, folder: FluxFolder): FluxFolder[] {
  return lifecycle === undefined || lifecycle === "active" ? [folder] : [];
}
