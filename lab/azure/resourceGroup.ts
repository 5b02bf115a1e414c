import { FaultList } from "./armError.ts";
import type { ArmId } from "./armId.ts";
import { normalLocation, tags } from "./fieldRules.ts";
import type { Json } from "./json.ts";
import { show } from "./json.ts";

const groupName = /^[-\w.()]{0,89}[-\w()]$/;

/** The rule on the name of a resource group: 1 to 90 characters, no period at the end. */
export function checkResourceGroupName(faults: FaultList, name: string): void {
  if (groupName.test(name)) return;
  faults.add(
    "resourceGroupName",
    `${show(name)}: a name has 1 to 90 letters, digits, '-', '_', '.', '(' and ')', and no '.' at the end.`,
    "InvalidResourceGroup",
  );
}

/** Azure's part of a PUT on a resource group; see putConnectedCluster for the manner. */
export function putResourceGroup(id: ArmId, body: Json): Json {
  const faults = new FaultList();
  checkResourceGroupName(faults, id.name);
  const location = normalLocation(faults, body["location"]);
  tags(faults, body["tags"]);
  faults.throwIfAny();
  return {
    location,
    ...(body["tags"] === undefined ? {} : { tags: body["tags"] }),
    ...(body["managedBy"] === undefined ? {} : { managedBy: body["managedBy"] }),
    properties: { provisioningState: "Succeeded" },
  };
}
