import { ArmError } from "../azure/armError.ts";
import type { ArmId } from "../azure/armId.ts";
import { armTypes, formatArmId, parseArmId } from "../azure/armId.ts";
import { ArmClient } from "../azure/http/armClient.ts";
import type { Json } from "../azure/json.ts";
import { inputsFromState, toBody, toOutputs } from "./armBody.ts";
import type { AzureType } from "./azureTypes.ts";
import { armIdOf, azureTypes, clientConfig, nameInput } from "./azureTypes.ts";
import type { StandIn } from "./standIn.ts";
import { isUnknown, unknownValue } from "./values.ts";

/** The azure-native provider over the lab's Azure at a URL. */
export function azureNativeStandIn(armUrl: string): StandIn {
  const arm = new ArmClient(armUrl);

  const put = async (id: ArmId, type: AzureType, inputs: Json) => {
    checkParent(type, inputs);
    return { id: formatArmId(id), outputs: toOutputs(type, await arm.put(id, toBody(type, inputs))) };
  };

  return {
    package: "azure-native",
    version: "3.28.0",

    faultNames(call, inputs) {
      const type = azureTypes[call.type];
      if (type === undefined) return [];
      const id = armIdOf(type, inputs);
      return id.cluster === undefined || id.cluster === id.name
        ? [id.name]
        : [`${id.cluster}/${id.name}`, id.name];
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
      if ((await arm.get(id)) !== undefined) {
        throw new Error(`cannot create already existing resource '${formatArmId(id)}'`);
      }
      return put(id, type, inputs);
    },

    previewUpdate: (_call, inputs, outputs) => ({ ...outputs, ...inputs }),

    update(call, id, inputs) {
      return put(parseArmId(id), typeOf(call.type), inputs);
    },

    async read(call, id, inputs) {
      const type = typeOf(call.type);
      const resource = await arm.get(parseArmId(id));
      if (resource === undefined) return undefined;
      const outputs = toOutputs(type, resource);
      const imported = Object.keys(inputs).length === 0;
      const given = imported ? importInputs(type, parseArmId(id), outputs) : inputs;
      return { id, outputs, inputs: inputsFromState(type, given, outputs) };
    },

    async delete(call, id) {
      typeOf(call.type);
      await arm.delete(parseArmId(id));
    },

    async invoke(token, args) {
      if (token === "azure-native:authorization:getClientConfig") return { ...clientConfig };
      const [, module, name] = /^azure-native:(\w+):get(\w+)$/.exec(token) ?? [];
      const type = azureTypes[`azure-native:${module}:${name}`];
      if (type === undefined) throw new Error(`The lab has no function ${token}.`);
      const id = armIdOf(type, args);
      const resource = await arm.get(id);
      if (resource === undefined) {
        throw new ArmError(404, "ResourceNotFound", `The Resource '${formatArmId(id)}' was not found.`);
      }
      return { id: formatArmId(id), ...toOutputs(type, resource) };
    },
  };
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
  const group = await arm.get({ type: armTypes.resourceGroup, resourceGroup, name: resourceGroup });
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
