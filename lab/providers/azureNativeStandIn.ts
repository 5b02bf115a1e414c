import { ArmError } from "../azure/armError.ts";
import type { ArmId } from "../azure/armId.ts";
import { armTypes, formatArmId, parseArmId, subscriptionId } from "../azure/armId.ts";
import type { Json } from "../azure/json.ts";
import type { ArmCaller, ArmTarget } from "./armClient.ts";
import { ArmClient } from "./armClient.ts";
import { inputsFromState, toBody, toOutputs } from "./armBody.ts";
import type { AzureType } from "./azureTypes.ts";
import { armIdOf, azureTypes, clientConfig, nameInput } from "./azureTypes.ts";
import type { ResourceCall, StandIn } from "./standIn.ts";
import { isUnknown, unknownValue } from "./values.ts";

/** The azure-native provider over the lab's Azure at a URL. */
export function azureNativeStandIn(armUrl: string): StandIn {
  const arm = new ArmClient(armUrl);
  const target = (type: AzureType, id: ArmId): ArmTarget => ({ id, apiVersion: type.apiVersion });

  /** Subscriptions that are not the lab's, by the connection whose provider names them. */
  const elsewhere = new Map<string, string>();

  const put = async (call: ResourceCall, id: ArmId, type: AzureType, inputs: Json) => {
    const other = elsewhere.get(call.peer);
    if (other !== undefined)
      throw new ArmError(404, "SubscriptionNotFound", `The subscription '${other}' could not be found.`);
    checkParent(type, inputs);
    const resource = await arm.put(target(type, id), toBody(type, inputs), callerOf(call));
    return { id: formatArmId(id), outputs: toOutputs(type, resource) };
  };

  return {
    package: "azure-native",
    version: "3.28.0",
    // They strike in Azure itself, so that its other clients meet them too.
    faultsElsewhere: true,

    faultNames: () => [],

    configure(peer, { subscriptionId: named }) {
      if (typeof named === "string" && named.toLowerCase() !== subscriptionId) elsewhere.set(peer, named);
    },

    async check(call, inputs, old, randomSeed) {
      const type = typeOf(call.type);
      const name = nameInput(type);
      const named = { ...inputs };
      // Like azure-native: a name of its own for a resource without one, kept for as long as it lives.
      named[name] ??= old[name] ?? `${call.name}${Buffer.from(randomSeed).toString("hex").slice(0, 8)}`;
      if (type.topLevel.includes("location") && type.arm !== armTypes.resourceGroup) {
        named["location"] ??= await groupLocation(arm, named["resourceGroupName"]);
      }
      const missing = type.required.filter((key) => named[key] === undefined || named[key] === null);
      return {
        inputs: named,
        failures: missing.map((key) => ({ property: key, reason: `missing required property '${key}'` })),
      };
    },

    replacement(call, _before, _after, changed) {
      const type = typeOf(call.type);
      const moved = type.pathInputs.filter((key) => changed.has(key));
      const keys = [...moved, ...type.createOnly.filter((key) => changed.has(key))];
      return { keys, deleteFirst: moved.length === 0 };
    },

    previewCreate(call, inputs) {
      const type = typeOf(call.type);
      return { ...Object.fromEntries(type.computed.map((key) => [key, unknownValue])), ...inputs };
    },

    async create(call, inputs) {
      const type = typeOf(call.type);
      const id = armIdOf(type, inputs);
      if ((await arm.get(target(type, id))) !== undefined) {
        throw new Error(`cannot create already existing resource '${formatArmId(id)}'`);
      }
      return put(call, id, type, inputs);
    },

    previewUpdate: (_call, inputs, outputs) => ({ ...outputs, ...inputs }),
    update: (call, id, inputs) => put(call, parseArmId(id), typeOf(call.type), inputs),

    async read(call, id, inputs) {
      const type = typeOf(call.type);
      const resource = await arm.get(target(type, parseArmId(id)), callerOf(call));
      if (resource === undefined) return undefined;
      const outputs = toOutputs(type, resource);
      const imported = Object.keys(inputs).length === 0;
      const given = imported ? importInputs(type, parseArmId(id), outputs) : inputs;
      return { id, outputs, inputs: inputsFromState(type, given, outputs) };
    },

    async delete(call, id) {
      await arm.delete(target(typeOf(call.type), parseArmId(id)), callerOf(call));
    },

    async invoke(token, args) {
      if (token === "azure-native:authorization:getClientConfig") return { ...clientConfig };
      const [, module, name] = /^azure-native:(\w+):get(\w+)$/.exec(token) ?? [];
      const type = azureTypes[`azure-native:${module}:${name}`];
      if (type === undefined) throw new Error(`The lab has no function ${token}.`);
      const id = armIdOf(type, args);
      const resource = await arm.get(target(type, id));
      if (resource === undefined) {
        throw new ArmError(404, "ResourceNotFound", `The Resource '${formatArmId(id)}' was not found.`);
      }
      return { id: formatArmId(id), ...toOutputs(type, resource) };
    },
  };
}

function callerOf({ name, seconds }: ResourceCall): ArmCaller {
  return { name, ...(seconds !== undefined && { seconds }) };
}

function typeOf(token: string): AzureType {
  const type = azureTypes[token];
  if (type !== undefined) return type;
  const known = Object.keys(azureTypes).join(", ");
  throw new Error(`The lab's Azure has no ${token}. It knows ${known}.`);
}

/** Only connected clusters carry extensions and configurations in the lab; Azure has two more kinds. */
function checkParent(type: AzureType, inputs: Json): void {
  if (!type.pathInputs.includes("clusterRp")) return;
  const { clusterRp, clusterResourceName } = inputs;
  if (clusterRp === "Microsoft.Kubernetes" && clusterResourceName === "connectedClusters") return;
  throw new ArmError(
    400,
    "InvalidResourceType",
    `The lab knows extensions and configurations of Microsoft.Kubernetes/connectedClusters only, not of ${String(clusterRp)}/${String(clusterResourceName)}.`,
  );
}

async function groupLocation(arm: ArmClient, resourceGroup: unknown): Promise<unknown> {
  if (typeof resourceGroup !== "string" || isUnknown(resourceGroup)) return undefined;
  const id = { type: armTypes.resourceGroup, resourceGroup, name: resourceGroup };
  const group = await arm.get({ id, apiVersion: typeOf("azure-native:resources:ResourceGroup").apiVersion });
  return group?.["location"];
}

/** Inputs of an imported resource: the path from its id, the rest from what Azure returns. */
function importInputs(type: AzureType, id: ArmId, outputs: Json): Json {
  const settable = Object.entries(outputs).filter(
    ([key, value]) => !type.computed.includes(key) && value !== null,
  );
  const inPath: Json = {
    resourceGroupName: id.resourceGroup,
    clusterRp: "Microsoft.Kubernetes",
    clusterResourceName: "connectedClusters",
    clusterName: id.cluster,
    [nameInput(type)]: id.name,
  };
  return {
    ...Object.fromEntries(settable),
    ...Object.fromEntries(type.pathInputs.map((key) => [key, inPath[key]])),
  };
}
