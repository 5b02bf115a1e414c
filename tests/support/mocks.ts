import { generateKeyPairSync } from "node:crypto";

import * as pulumi from "@pulumi/pulumi";

import { runKubeconfigCommand } from "../../lab/providers/deviceMachine.ts";

/** One resource that a program registered under mocks. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  /** Inputs as sent; secrets still in their marker. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether Pulumi refuses to destroy it. */
  readonly protect: boolean;
  /** Names of what it waits for, `type name`, components included. */
  readonly waitsFor: readonly string[];
}

const signatureKey = "4dabf18193072939515e22adb298388d";

/** Whether an input was sent as a secret. */
export function isSecretInput(value: unknown): boolean {
  return typeof value === "object" && value !== null && signatureKey in value;
}

/** The value of an input without the secret marker. */
export function bare(value: unknown): unknown {
  return isSecretInput(value) ? (value as { value: unknown }).value : value;
}

const clusterId =
  "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg-edge" +
  "/providers/Microsoft.Kubernetes/connectedClusters/edge-1";

const groupId = "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg-edge-edge-1-device";
const runCommand = "azure-native:compute:VirtualMachineRunCommandByVirtualMachine";

/** What each known type answers besides its inputs. A type that is not here is a mistake of the program. */
function answer(type: string, keys: { readonly spki: string; readonly pkcs1: string }) {
  const outputs: Record<string, { id: string; state: Record<string, unknown> }> = {
    "tls:index/privateKey:PrivateKey": {
      id: "key",
      state: { publicKeyPem: keys.spki, privateKeyPem: keys.pkcs1, publicKeyOpenssh: "ssh-rsa AAAA\n" },
    },
    "azure-native:kubernetes:ConnectedCluster": {
      id: clusterId,
      state: { identity: { type: "SystemAssigned", principalId: "principal", tenantId: "tenant-1" } },
    },
    "azure-native:kubernetesconfiguration:Extension": {
      id: `${clusterId}/providers/Microsoft.KubernetesConfiguration/extensions/flux`,
      state: { name: "flux" },
    },
    "azure-native:kubernetesconfiguration:FluxConfiguration": {
      id: `${clusterId}/providers/Microsoft.KubernetesConfiguration/fluxConfigurations/edge-config`,
      state: { name: "edge-config" },
    },
    "azure-native:resources:ResourceGroup": { id: groupId, state: { name: "rg-edge-edge-1-device" } },
    ...Object.fromEntries(
      ["NetworkSecurityGroup", "VirtualNetwork", "NetworkInterface"].map((kind) => [
        `azure-native:network:${kind}`,
        { id: `${groupId}/providers/Microsoft.Network/${kind}/device`, state: { name: "device" } },
      ]),
    ),
    "azure-native:network:PublicIPAddress": { id: "address", state: { ipAddress: "192.0.2.10" } },
    "azure-native:compute:VirtualMachine": { id: "machine", state: { name: "device" } },
    [runCommand]: { id: "command", state: { name: "kubeconfig" } },
    "kubernetes:helm.sh/v3:Release": { id: "azure-arc-release/azure-arc", state: {} },
    "pulumi:providers:kubernetes": { id: "kubernetes", state: {} },
    "kubernetes:core/v1:Secret": { id: "flux-system/secret", state: {} },
    "kubernetes:source.toolkit.fluxcd.io/v1:GitRepository": { id: "flux-system/repository", state: {} },
    "kubernetes:kustomize.toolkit.fluxcd.io/v1:Kustomization": { id: "flux-system/bootstrap", state: {} },
    "arcflux-git:index:GitFiles": {
      id: "files",
      state: { commit: "c0ffee", blobs: {}, owner: "arcflux/test/edge", serial: 1 },
    },
  };
  return outputs[type];
}

/** Records what is registered from here on. One call for each spec file, before any resource is made. */
export async function recordResources(
  rsaBits = 4096,
  /** What the last update of the stack put out; without it nobody can be asked. */
  outputs?: Readonly<Record<string, unknown>>,
): Promise<Registered[]> {
  const pair = generateKeyPairSync("rsa", { modulusLength: rsaBits });
  const keys = {
    spki: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    pkcs1: pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
  const registered: Registered[] = [];
  const requests = new Map<string, { readonly protect: boolean; readonly waitsFor: readonly string[] }>();
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        const { protect, waitsFor } = requests.get(`${type} ${name}`) ?? { protect: false, waitsFor: [] };
        registered.push({ type, name, inputs: inputs as Record<string, unknown>, protect, waitsFor });
        if (type.startsWith("arcflux:index:") || type === "pulumi:pulumi:Stack") return { id: "", state: {} };
        const known = answer(type, keys);
        if (known === undefined)
          throw new Error(`The program registered a resource that the mocks do not know: ${type}`);
        return { id: known.id, state: { ...(inputs as object), ...known.state } };
      },
      call: ({ token }) => {
        if (token === "pulumi:pulumi:readStackOutputs" && outputs !== undefined) return { outputs };
        if (token === runCommand.replace(":V", ":getV"))
          return { instanceView: runKubeconfigCommand({ ...only(registered, runCommand).inputs }) };
        throw new Error(`The program called a function that the mocks do not know: ${token}`);
      },
    },
    "arcflux",
    "test",
    false,
    outputs && "edge",
  );
  watchRequests((request) => {
    requests.set(`${request.getType()} ${request.getName()}`, {
      protect: request.getProtect(),
      waitsFor: request.getDependenciesList().map(readUrn),
    });
  });
  return registered;
}

/** What the mocks do not pass on: a request to register a resource, as the engine gets it. */
interface RegisterRequest {
  getType(): string;
  getName(): string;
  getProtect(): boolean;
  getDependenciesList(): string[];
}

function watchRequests(see: (request: RegisterRequest) => void): void {
  const monitor = pulumi.runtime.getMonitor() as unknown as {
    registerResource: (request: RegisterRequest, ...rest: unknown[]) => unknown;
  };
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, ...rest) => {
    see(request);
    return register(request, ...rest);
  };
}

/** `urn:pulumi:test::arcflux::a$b$type::name` as `type name`. */
function readUrn(urn: string): string {
  const [, , types, name] = urn.split("::");
  return `${types?.split("$").at(-1) ?? ""} ${name ?? ""}`;
}

/** The one resource of a type; fails when there is none or more than one. */
export function only(registered: readonly Registered[], type: string): Registered {
  const found = registered.filter((resource) => resource.type === type);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} resources of type ${type}`);
  return first;
}

/** Waits for an output's value. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply((value) => {
      resolve(value);
    });
  });
}
