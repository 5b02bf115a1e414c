import type { KubeConfig } from "@kubernetes/client-node";
import * as pulumi from "@pulumi/pulumi";

import type { Kubeconfig } from "../fleet/model.ts";
import { ofContext } from "../status/index.ts";

/** Gives what the fleet file says of a kubeconfig, at its context; undefined where it has none of that name. */
export type KubeconfigOf = (stated: Kubeconfig | undefined) => KubeConfig | undefined;

/**
 * Opens what the fleet file says of kubeconfigs, for looks before the update: a key of the stack config, else the user's own,
 * which is read once for all clusters. The function throws ClusterError where one cannot be read.
 */
export async function kubeconfigReader(): Promise<KubeconfigOf> {
  // The client of Kubernetes takes a moment to load, and many fleets never need it.
  const { loadKubeconfig } = await import("../status/ask/kubeconfig.ts");
  const config = new pulumi.Config("arcflux");
  let users: KubeConfig | undefined;
  return (stated) => {
    if (stated !== undefined && "config" in stated)
      return ofContext(loadKubeconfig(config.get(stated.config) ?? ""), undefined);
    users ??= loadKubeconfig();
    return ofContext(users, stated?.context);
  };
}
