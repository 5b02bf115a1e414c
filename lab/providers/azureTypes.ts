import type { ArmId } from "../azure/armId.ts";
import { armTypes, subscriptionId, tenantId } from "../azure/armId.ts";
import { stableGuid } from "../azure/guid.ts";
import type { Json } from "../azure/json.ts";

/** How one class of azure-native maps to ARM. */
export interface AzureType {
  readonly arm: ArmId["type"];
  readonly apiVersion: string;
  /** Inputs that are parts of the id; the last one is the resource's own name. */
  readonly pathInputs: readonly [string, ...string[]];
  /** Inputs the provider refuses to do without. */
  readonly required: readonly string[];
  /** Inputs that stand at the top of the body; all others go below `properties`. */
  readonly topLevel: readonly string[];
  /** Outputs that are not inputs: unknown until the resource is made. */
  readonly computed: readonly string[];
  /** Create-only inputs beyond those of the path. */
  readonly createOnly: readonly string[];
}

const common = ["azureApiVersion", "name", "type", "systemData", "provisioningState"];

export const azureTypes: Readonly<Record<string, AzureType>> = {
  "azure-native:resources:ResourceGroup": {
    arm: armTypes.resourceGroup,
    apiVersion: "2024-03-01",
    pathInputs: ["resourceGroupName"],
    required: [],
    topLevel: ["location", "tags", "managedBy"],
    computed: ["azureApiVersion", "name", "type", "properties"],
    createOnly: ["location"],
  },
  "azure-native:kubernetes:ConnectedCluster": {
    arm: armTypes.connectedCluster,
    apiVersion: "2024-02-01-preview",
    pathInputs: ["resourceGroupName", "clusterName"],
    required: ["agentPublicKeyCertificate", "identity", "resourceGroupName"],
    topLevel: ["location", "tags", "identity", "kind"],
    computed: [
      ...common,
      "agentVersion",
      "connectivityStatus",
      "kubernetesVersion",
      "lastConnectivityTime",
      "managedIdentityCertificateExpirationTime",
      "miscellaneousProperties",
      "offering",
      "totalCoreCount",
      "totalNodeCount",
    ],
    createOnly: [],
  },
  "azure-native:kubernetesconfiguration:Extension": {
    arm: armTypes.extension,
    apiVersion: "2023-05-01",
    pathInputs: ["resourceGroupName", "clusterRp", "clusterResourceName", "clusterName", "extensionName"],
    required: ["clusterName", "clusterResourceName", "clusterRp", "resourceGroupName"],
    topLevel: ["identity", "plan"],
    computed: [...common, "currentVersion", "errorInfo", "isSystemExtension", "packageUri"],
    createOnly: [],
  },
  "azure-native:kubernetesconfiguration:FluxConfiguration": {
    arm: armTypes.fluxConfiguration,
    apiVersion: "2023-05-01",
    pathInputs: [
      "resourceGroupName",
      "clusterRp",
      "clusterResourceName",
      "clusterName",
      "fluxConfigurationName",
    ],
    required: ["clusterName", "clusterResourceName", "clusterRp", "resourceGroupName"],
    topLevel: [],
    computed: [
      ...common,
      "complianceState",
      "errorMessage",
      "repositoryPublicKey",
      "sourceSyncedCommitId",
      "sourceUpdatedAt",
      "statuses",
      "statusUpdatedAt",
    ],
    createOnly: ["scope", "namespace"],
  },
};

/** Input with the resource's own name: `clusterName`, `extensionName`, … */
export function nameInput(type: AzureType): string {
  return type.pathInputs.at(-1) ?? type.pathInputs[0];
}

/** The id that inputs or arguments lead to. */
export function armIdOf(type: AzureType, inputs: Json): ArmId {
  const text = (key: string): string => (typeof inputs[key] === "string" ? inputs[key] : "");
  const resourceGroup = text("resourceGroupName");
  const name = text(nameInput(type));
  return type.arm === armTypes.resourceGroup
    ? { type: type.arm, resourceGroup, name }
    : { type: type.arm, resourceGroup, cluster: text("clusterName"), name };
}

/** Who the lab's Azure takes the caller for. */
export const clientConfig = {
  clientId: stableGuid("client"),
  objectId: stableGuid("object"),
  subscriptionId,
  tenantId,
} as const;
