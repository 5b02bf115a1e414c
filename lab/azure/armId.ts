import { ArmError } from "./armError.ts";

/** The one subscription and tenant of the lab. */
export const subscriptionId = "00000000-0000-4000-8000-00000000a2cf";
export const tenantId = "00000000-0000-4000-8000-0000000000aa";

/** The resource types the lab knows, as their ids spell them. */
export const armTypes = {
  resourceGroup: "resourceGroups",
  connectedCluster: "connectedClusters",
  extension: "extensions",
  fluxConfiguration: "fluxConfigurations",
} as const;
export type ArmType = (typeof armTypes)[keyof typeof armTypes];

/** A parsed resource id. Names keep their case; Azure compares them without it. */
export interface ArmId {
  readonly type: ArmType;
  readonly resourceGroup: string;
  /** Set for everything but a resource group. */
  readonly cluster?: string;
  /** Name of the resource itself. */
  readonly name: string;
}

const pattern =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)(?:\/providers\/Microsoft\.Kubernetes\/connectedClusters\/([^/]+)(?:\/providers\/Microsoft\.KubernetesConfiguration\/(extensions|fluxConfigurations)\/([^/]+))?)?$/i;

/** The id as Azure writes it. */
export function formatArmId(id: ArmId): string {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${id.resourceGroup}`;
  if (id.type === armTypes.resourceGroup || id.cluster === undefined) return group;
  const cluster = `${group}/providers/Microsoft.Kubernetes/connectedClusters/${id.cluster}`;
  if (id.type === armTypes.connectedCluster) return cluster;
  return `${cluster}/providers/Microsoft.KubernetesConfiguration/${id.type}/${id.name}`;
}

/** Parses an id; throws an ArmError when it is none, or one of another subscription or type. */
export function parseArmId(text: string): ArmId {
  const match = pattern.exec(text);
  const [, subscription, resourceGroup, cluster, child, childName] = match ?? [];
  if (subscription === undefined || resourceGroup === undefined) {
    throw new ArmError(400, "InvalidResourceId", `'${text}' is not the id of a resource that the lab knows.`);
  }
  if (subscription.toLowerCase() !== subscriptionId) {
    throw new ArmError(404, "SubscriptionNotFound", `The subscription '${subscription}' could not be found.`);
  }
  if (cluster === undefined) return { type: armTypes.resourceGroup, resourceGroup, name: resourceGroup };
  if (child === undefined || childName === undefined) {
    return { type: armTypes.connectedCluster, resourceGroup, cluster, name: cluster };
  }
  const type = child.toLowerCase() === "extensions" ? armTypes.extension : armTypes.fluxConfiguration;
  return { type, resourceGroup, cluster, name: childName };
}

/** The cluster that an extension or a configuration belongs to. */
export function clusterOf(id: ArmId): ArmId {
  const cluster = id.cluster ?? id.name;
  return { type: armTypes.connectedCluster, resourceGroup: id.resourceGroup, cluster, name: cluster };
}
