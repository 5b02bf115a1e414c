import { rmSync } from "node:fs";
import path from "node:path";
import { readJson, writeJsonAtomic } from "../atomicFile.ts";
import { ArmError, FaultList } from "../azure/armError.ts";
import { subscriptionId } from "../azure/armId.ts";
import type { Json } from "../azure/json.ts";
import { asObject } from "../azure/json.ts";
import { runKubeconfigCommand } from "./deviceMachine.ts";
import { refuseLogin, refuseOpenPorts } from "./deviceRules.ts";
import type { StandIn } from "./standIn.ts";
import { unknownValue } from "./values.ts";

/** How a class of which simulated devices are made maps to ARM. */
interface PartType {
  /** Where it stands below its resource group. */
  readonly path: (inputs: Json) => string;
  readonly nameInput: string;
  readonly computed: Json;
  /** Says what Azure would refuse. */
  readonly refuse?: (faults: FaultList, inputs: Json, old: Json | undefined) => void;
}

const network =
  (kind: string): PartType["path"] =>
  () =>
    `Microsoft.Network/${kind}`;
const runCommand = "azure-native:compute:VirtualMachineRunCommandByVirtualMachine";

const partTypes: Readonly<Record<string, PartType>> = {
  "azure-native:network:NetworkSecurityGroup": {
    path: network("networkSecurityGroups"),
    nameInput: "networkSecurityGroupName",
    computed: {},
    refuse: refuseOpenPorts,
  },
  "azure-native:network:VirtualNetwork": {
    path: network("virtualNetworks"),
    nameInput: "virtualNetworkName",
    computed: {},
  },
  "azure-native:network:PublicIPAddress": {
    path: network("publicIPAddresses"),
    nameInput: "publicIpAddressName",
    computed: { ipAddress: "192.0.2.10" },
  },
  "azure-native:network:NetworkInterface": {
    path: network("networkInterfaces"),
    nameInput: "networkInterfaceName",
    computed: {},
  },
  "azure-native:compute:VirtualMachine": {
    path: () => "Microsoft.Compute/virtualMachines",
    nameInput: "vmName",
    computed: { vmId: "1" },
    refuse: refuseLogin,
  },
  [runCommand]: {
    path: ({ vmName }) => `Microsoft.Compute/virtualMachines/${String(vmName)}/runCommands`,
    nameInput: "runCommandName",
    computed: {},
  },
};

/**
 * Answers for the parts of simulated devices, a file each in `DIR/devices`, and leaves all other types to the stand-in that
 * there is. Nothing of them reaches the lab's ARM; no machine runs.
 */
export function withDeviceParts(dir: string, rest: StandIn): StandIn {
  const fileOf = (id: string): string =>
    path.join(dir, "devices", `${encodeURIComponent(id.toLowerCase())}.json`);
  const put = (type: PartType, inputs: Json): { id: string; outputs: Json } => {
    const id = idOf(type, inputs);
    const faults = new FaultList();
    const old = readJson(fileOf(id));
    type.refuse?.(faults, inputs, old === undefined ? undefined : asObject(old));
    faults.throwIfAny();
    writeJsonAtomic(fileOf(id), inputs);
    return { id, outputs: outputsOf(type, inputs) };
  };
  return {
    ...rest,
    check: (call, inputs, old, seed) =>
      partTypes[call.type] === undefined ? rest.check(call, inputs, old, seed) : { inputs, failures: [] },
    replacement(call, before, after, changed) {
      const type = partTypes[call.type];
      if (type === undefined) return rest.replacement(call, before, after, changed);
      const moved = ["resourceGroupName", "location", "vmName", type.nameInput];
      return { keys: moved.filter((key) => changed.has(key)), deleteFirst: false };
    },
    previewCreate(call, inputs) {
      const type = partTypes[call.type];
      if (type === undefined) return rest.previewCreate(call, inputs);
      const computed: Json = { name: unknownValue };
      for (const key of Object.keys(type.computed)) computed[key] = unknownValue;
      return { ...inputs, ...computed };
    },
    create(call, inputs, secrets) {
      const type = partTypes[call.type];
      if (type === undefined) return rest.create(call, inputs, secrets);
      const id = idOf(type, inputs);
      if (readJson(fileOf(id)) !== undefined)
        throw new Error(`cannot create already existing resource '${id}'`);
      return put(type, inputs);
    },
    update(call, id, inputs, secrets, outputs) {
      const type = partTypes[call.type];
      return type === undefined ? rest.update(call, id, inputs, secrets, outputs) : put(type, inputs);
    },
    read(call, id, inputs, outputs) {
      const type = partTypes[call.type];
      if (type === undefined) return rest.read(call, id, inputs, outputs);
      return readJson(fileOf(id)) === undefined ? undefined : { id, inputs, outputs };
    },
    delete(call, id, outputs) {
      if (partTypes[call.type] === undefined) return rest.delete(call, id, outputs);
      rmSync(fileOf(id), { force: true });
    },
    invoke(token, args) {
      const type = partTypes[runCommand]!;
      if (token !== runCommand.replace(":V", ":getV")) return rest.invoke(token, args);
      const id = idOf(type, args);
      const stored = readJson(fileOf(id));
      if (stored === undefined)
        throw new ArmError(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
      const command = asObject(stored);
      const instanceView = args["expand"] === "instanceView" && runKubeconfigCommand(command);
      return { ...outputsOf(type, command), id, ...(instanceView && { instanceView }) };
    },
  };
}

function idOf(type: PartType, inputs: Json): string {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${String(inputs["resourceGroupName"])}`;
  return `${group}/providers/${type.path(inputs)}/${String(inputs[type.nameInput])}`;
}

/** As Azure shows a resource: without the data of the first start. */
function outputsOf(type: PartType, inputs: Json): Json {
  const profile = inputs["osProfile"];
  return {
    ...inputs,
    ...(profile !== undefined && { osProfile: { ...asObject(profile), customData: null } }),
    ...type.computed,
    name: inputs[type.nameInput],
  };
}
