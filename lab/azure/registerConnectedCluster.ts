import path from "node:path";
import { FaultList } from "./armError.ts";
import { armTypes, formatArmId, tenantId } from "./armId.ts";
import { ArmStore } from "./armStore.ts";
import { stableGuid } from "./guid.ts";
import type { Json } from "./json.ts";
import { checkResourceGroupName } from "./resourceGroup.ts";

/**
 * Puts a connected cluster into the lab in `dir` that no stack made, as `az connectedk8s connect` would: what a
 * fleet file calls `agents: present`. Works whether the lab runs or not, and is done again without harm.
 */
export function registerConnectedCluster(
  dir: string,
  cluster: { readonly resourceGroup: string; readonly name: string; readonly location?: string },
): void {
  const faults = new FaultList();
  checkResourceGroupName(faults, cluster.resourceGroup);
  if (!/^[-_a-zA-Z0-9]{1,63}$/.test(cluster.name)) {
    faults.add("name", `'${cluster.name}': a cluster name has 1 to 63 letters, digits, '-' and '_'.`);
  }
  faults.throwIfAny();
  new ArmStore(path.join(dir, "azure")).write(
    { type: armTypes.connectedCluster, cluster: cluster.name, ...cluster },
    registeredCluster(cluster.resourceGroup, cluster.name, cluster.location),
  );
}

/** A connected cluster as Azure returns it once its agents run. */
export function registeredCluster(resourceGroup: string, name: string, location = "westeurope"): Json {
  return {
    id: formatArmId({ type: armTypes.connectedCluster, resourceGroup, cluster: name, name }),
    name,
    type: "Microsoft.Kubernetes/connectedClusters",
    location,
    identity: {
      type: "SystemAssigned",
      principalId: stableGuid(`principal ${resourceGroup}/${name}`),
      tenantId,
    },
    properties: {
      azureHybridBenefit: "NotApplicable",
      privateLinkState: "Disabled",
      distribution: "k3s",
      infrastructure: "generic",
      provisioningState: "Succeeded",
      connectivityStatus: "Connected",
      agentVersion: "1.36.1",
      kubernetesVersion: "1.33.1",
      totalNodeCount: 1,
      totalCoreCount: 4,
    },
  };
}
