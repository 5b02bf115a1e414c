import { agentKeyFault } from "./agentKey.ts";
import { FaultList } from "./armError.ts";
import type { ArmId } from "./armId.ts";
import { tenantId } from "./armId.ts";
import { normalLocation, oneOf, requiredText, tags } from "./fieldRules.ts";
import { stableGuid } from "./guid.ts";
import type { Json } from "./json.ts";
import { asObject, show } from "./json.ts";

const switches = ["Enabled", "Disabled"] as const;

/**
 * Azure's part of a PUT on a connected cluster: refuses what Azure refuses, all of it in one ArmError, and returns
 * the resource as Azure would. `old` is the resource before, when there is one.
 */
export function putConnectedCluster(id: ArmId, body: Json, old: Json | undefined): Json {
  const faults = new FaultList();
  const properties = asObject(body["properties"]);
  if (!/^[-_a-zA-Z0-9]{1,63}$/.test(id.name)) {
    faults.add("name", `${show(id.name)}: a cluster name has 1 to 63 letters, digits, '-' and '_'.`);
  }
  const location = normalLocation(faults, body["location"]);
  const identity = asObject(body["identity"]);
  if (requiredText(faults, "identity.type", identity["type"])) {
    oneOf(faults, "identity.type", identity["type"], ["SystemAssigned", "None"]);
  }
  checkKey(faults, properties["agentPublicKeyCertificate"], old);
  oneOf(faults, "kind", body["kind"], ["ProvisionedCluster"]);
  oneOf(faults, "properties.privateLinkState", properties["privateLinkState"], switches);
  oneOf(faults, "properties.azureHybridBenefit", properties["azureHybridBenefit"], [
    "True",
    "False",
    "NotApplicable",
  ]);
  const agents = asObject(properties["arcAgentProfile"]);
  oneOf(faults, "properties.arcAgentProfile.agentAutoUpgrade", agents["agentAutoUpgrade"], switches);
  tags(faults, body["tags"]);
  faults.throwIfAny();

  return {
    location,
    ...(body["tags"] === undefined ? {} : { tags: body["tags"] }),
    ...(body["kind"] === undefined ? {} : { kind: body["kind"] }),
    identity: {
      type: identity["type"],
      ...(identity["type"] === "SystemAssigned"
        ? { principalId: stableGuid(`principal ${id.resourceGroup}/${id.name}`), tenantId }
        : {}),
    },
    properties: {
      azureHybridBenefit: "NotApplicable",
      privateLinkState: "Disabled",
      distribution: "generic",
      infrastructure: "generic",
      ...properties,
      provisioningState: "Succeeded",
      ...foundByAgents(asObject(old?.["properties"])),
    },
  };
}

/** What the agents fill in once they run; an update of the resource changes nothing about it. */
function foundByAgents(old: Json): Json {
  const nothingYet = {
    connectivityStatus: "Connecting",
    agentVersion: null,
    kubernetesVersion: null,
    totalNodeCount: null,
    totalCoreCount: null,
    lastConnectivityTime: null,
    managedIdentityCertificateExpirationTime: null,
    offering: null,
    miscellaneousProperties: null,
  };
  return Object.fromEntries(
    Object.entries(nothingYet).map(([field, initial]) => [field, old[field] ?? initial]),
  );
}

function checkKey(faults: FaultList, key: unknown, old: Json | undefined): void {
  const target = "properties.agentPublicKeyCertificate";
  // Only one kind of cluster may leave the key empty, and the lab has none of those.
  if (!requiredText(faults, target, key)) return;
  const fault = agentKeyFault(key);
  if (fault !== undefined) faults.add(target, fault);
  const before = asObject(old?.["properties"])["agentPublicKeyCertificate"];
  if (before !== undefined && before !== key) {
    faults.add(
      target,
      "The key of a connected cluster cannot be changed. Delete the connected cluster and connect it anew.",
      "PropertyChangeNotAllowed",
    );
  }
}
