import {
  getVirtualMachineRunCommandByVirtualMachineOutput,
  VirtualMachine,
  VirtualMachineRunCommandByVirtualMachine,
} from "@pulumi/azure-native/compute/index.js";
import {
  NetworkInterface,
  NetworkSecurityGroup,
  PublicIPAddress,
  VirtualNetwork,
} from "@pulumi/azure-native/network/index.js";
import { ResourceGroup } from "@pulumi/azure-native/resources/index.js";
import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";

import type { Device } from "../fleet/device.ts";
import { firstStart, kubeconfigScript } from "./deviceScripts.ts";
import { openKubeconfig } from "./openKubeconfig.ts";

/** Arguments of {@link SimulatedEdgeDevice}. */
export interface SimulatedEdgeDeviceArgs extends Device {
  /** Resource group that the device has to itself; it is made, and goes with the device. */
  readonly resourceGroupName: string;
  /** Azure region, such as `westeurope`. */
  readonly location: string;
  /** Azure tags. Defaults to none. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Which machine of this name it is: with a higher number it is made anew. */
  readonly hardware: number;
}

/** Each is alone of its kind in the group. */
const part = "device";
const user = "arcflux";

/** How long the machine may take to bring up k3s, in seconds. */
const patience = 900;

/** A virtual machine with k3s, in a resource group and a network of its own that one address gets into. */
export class SimulatedEdgeDevice extends pulumi.ComponentResource {
  /** Kubeconfig of an administrator, a secret; its one context has the name of the device. */
  readonly kubeconfig: pulumi.Output<string>;

  constructor(name: string, args: SimulatedEdgeDeviceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:SimulatedEdgeDevice", name, {}, opts);

    const { location, tags = {} } = args;
    const group = new ResourceGroup(
      `${name}-device-group`,
      { resourceGroupName: args.resourceGroupName, location, tags },
      { parent: this },
    );
    const where = { resourceGroupName: group.name, location, tags };
    const key = new tls.PrivateKey(
      `${name}-device-key`,
      { algorithm: "RSA", rsaBits: 4096 },
      { parent: this },
    );
    const address = new PublicIPAddress(
      `${name}-device-address`,
      {
        ...where,
        publicIpAddressName: part,
        sku: { name: "Standard" },
        publicIPAllocationMethod: "Static",
      },
      { parent: this },
    );
    const card = this.#createNetwork(name, args, where, address);
    const publicAddress = address.ipAddress.apply((ip) => ip ?? "");
    const machine = this.#createMachine(name, args, where, { card, key, publicAddress });
    this.kubeconfig = this.#fetchKubeconfig(name, args, where, { machine, key, publicAddress });

    this.registerOutputs({});
  }

  /** Closed by the rules that Azure has for every network; one rule lets the address in. */
  #createNetwork(
    name: string,
    { address: source, sshKey }: SimulatedEdgeDeviceArgs,
    where: Where,
    address: PublicIPAddress,
  ): NetworkInterface {
    const guard = new NetworkSecurityGroup(
      `${name}-device-guard`,
      {
        ...where,
        networkSecurityGroupName: part,
        securityRules: [
          {
            name: "owner",
            ...{ priority: 100, direction: "Inbound", access: "Allow", protocol: "Tcp" },
            ...{ sourceAddressPrefix: source, sourcePortRange: "*", destinationAddressPrefix: "*" },
            destinationPortRanges: sshKey === undefined ? ["6443"] : ["6443", "22"],
          },
        ],
      },
      { parent: this },
    );
    const network = new VirtualNetwork(
      `${name}-device-network`,
      {
        ...where,
        virtualNetworkName: part,
        addressSpace: { addressPrefixes: ["10.0.0.0/24"] },
        subnets: [{ name: part, addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: guard.id } }],
      },
      { parent: this },
    );
    return new NetworkInterface(
      `${name}-device-card`,
      {
        ...where,
        networkInterfaceName: part,
        ipConfigurations: [
          {
            name: part,
            subnet: { id: pulumi.interpolate`${network.id}/subnets/${part}` },
            publicIPAddress: { id: address.id },
            privateIPAllocationMethod: "Dynamic",
          },
        ],
      },
      { parent: this },
    );
  }

  #createMachine(
    name: string,
    { size, sshKey, k3s, hardware }: SimulatedEdgeDeviceArgs,
    where: Where,
    { card, key, publicAddress }: Parts & { readonly card: NetworkInterface },
  ): VirtualMachine {
    const script = publicAddress.apply((ip) => Buffer.from(firstStart(k3s, ip)).toString("base64"));
    return new VirtualMachine(
      `${name}-device-machine`,
      {
        ...where,
        vmName: part,
        hardwareProfile: { vmSize: size },
        osProfile: {
          ...{ computerName: part, adminUsername: user, customData: script },
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: {
              publicKeys: [
                {
                  path: `/home/${user}/.ssh/authorized_keys`,
                  // Azure wants a key. That of the stack signs nobody in: port 22 is shut.
                  keyData: sshKey ?? key.publicKeyOpenssh.apply((text) => text.trim()),
                },
              ],
            },
          },
        },
        storageProfile: {
          imageReference: {
            ...{ publisher: "Canonical", offer: "ubuntu-24_04-lts", sku: "server", version: "latest" },
          },
          osDisk: {
            ...{ name: part, createOption: "FromImage", deleteOption: "Delete", diskSizeGB: 64 },
            managedDisk: { storageAccountType: "StandardSSD_LRS" },
          },
        },
        networkProfile: { networkInterfaces: [{ id: card.id, primary: true }] },
      },
      {
        parent: this,
        // Azure changes neither on a machine that is there.
        ignoreChanges: ["osProfile", "storageProfile"],
        replacementTrigger: hardware,
        // Its network card serves one machine.
        deleteBeforeReplace: true,
      },
    );
  }

  #fetchKubeconfig(
    name: string,
    { hardware }: SimulatedEdgeDeviceArgs,
    where: Where,
    { machine, key, publicAddress }: Parts & { readonly machine: VirtualMachine },
  ): pulumi.Output<string> {
    const command = new VirtualMachineRunCommandByVirtualMachine(
      `${name}-device-kubeconfig`,
      {
        ...where,
        vmName: machine.name,
        runCommandName: "kubeconfig",
        source: {
          script: pulumi
            .all([publicAddress, key.publicKeyPem])
            .apply(([ip, pem]) => kubeconfigScript(name, ip, pem)),
        },
        timeoutInSeconds: patience,
      },
      { parent: this, replacementTrigger: hardware, deleteBeforeReplace: true },
    );
    const { instanceView } = getVirtualMachineRunCommandByVirtualMachineOutput(
      {
        resourceGroupName: where.resourceGroupName,
        vmName: machine.name,
        runCommandName: command.name,
        // What it printed comes only when asked for.
        expand: "instanceView",
      },
      { parent: this },
    );
    return pulumi.secret(
      pulumi.all([instanceView, key.privateKeyPem]).apply(([view, pem]) => openKubeconfig(name, view, pem)),
    );
  }
}

interface Where {
  readonly resourceGroupName: pulumi.Output<string>;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}

interface Parts {
  readonly key: tls.PrivateKey;
  readonly publicAddress: pulumi.Output<string>;
}
