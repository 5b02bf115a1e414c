import type { KubeConfig } from "@kubernetes/client-node";
import * as pulumi from "@pulumi/pulumi";

import type { Kubeconfig } from "../fleet/model.ts";

/**
 * Opens what the fleet file says of kubeconfigs, for looks before the update: a key of the stack config, else the user's own,
 * which is read once for all clusters. The function throws ClusterError where one cannot be read.
 */
export async function kubeconfigReader(): Promise<(stated: Kubeconfig | undefined) => KubeConfig> {
  // The client of Kubernetes takes a moment to load, and many fleets never need it.
  const { loadKubeconfig } = await import("../status/ask/kubeconfig.ts");
  const config = new pulumi.Config("arcflux");
  let users: KubeConfig | undefined;
  return (stated) =>
    stated !== undefined && "config" in stated
      ? loadKubeconfig(config.get(stated.config) ?? "")
      : (users ??= loadKubeconfig());
}
