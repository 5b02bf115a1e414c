import type { ArcConnection } from "../fleet/connection.ts";

/** Fields of a connected cluster that say how it is connected, as azure-native takes them. */
export function connectedFields({
  distribution,
  infrastructure,
  privateLinkScope,
  azureRbac,
  chart,
}: ArcConnection = {}) {
  const { adminGroups = [], tenantId } = azureRbac ?? {};
  return {
    ...(distribution !== undefined && { distribution }),
    ...(infrastructure !== undefined && { infrastructure }),
    ...(privateLinkScope !== undefined && {
      privateLinkState: "Enabled",
      privateLinkScopeResourceId: privateLinkScope,
    }),
    ...(azureRbac !== undefined && {
      aadProfile: {
        enableAzureRBAC: true,
        ...(adminGroups.length > 0 && { adminGroupObjectIDs: [...adminGroups] }),
        ...(tenantId !== undefined && { tenantID: tenantId }),
      },
    }),
    // Azure upgrades the agents by itself unless it is told; nothing may do so behind the release that Pulumi holds.
    arcAgentProfile: { agentAutoUpgrade: chart?.autoUpgrade === true ? "Enabled" : "Disabled" },
  };
}
