import { generateKeyPairSync } from "node:crypto";
import type { Values } from "./providerClient.ts";

export const types = {
  group: "azure-native:resources:ResourceGroup",
  cluster: "azure-native:kubernetes:ConnectedCluster",
  extension: "azure-native:kubernetesconfiguration:Extension",
  flux: "azure-native:kubernetesconfiguration:FluxConfiguration",
} as const;

/** A public key in the given form, base64 of its DER. */
export function publicKey(bits: number, type: "pkcs1" | "spki" = "pkcs1"): string {
  const pair = generateKeyPairSync("rsa", { modulusLength: bits });
  return pair.publicKey.export({ type, format: "der" }).toString("base64");
}

const key = publicKey(4096);

export const goodCluster = (): Values => ({
  resourceGroupName: "rg-edge",
  clusterName: "edge-0",
  location: "westeurope",
  identity: { type: "SystemAssigned" },
  agentPublicKeyCertificate: key,
  azureHybridBenefit: "NotApplicable",
  privateLinkState: "Disabled",
});

const parent = {
  resourceGroupName: "rg-edge",
  clusterRp: "Microsoft.Kubernetes",
  clusterResourceName: "connectedClusters",
  clusterName: "edge-0",
};

export const goodExtension = (): Values => ({
  ...parent,
  extensionName: "flux",
  extensionType: "microsoft.flux",
  identity: { type: "SystemAssigned" },
  scope: { cluster: { releaseNamespace: "flux-system" } },
  autoUpgradeMinorVersion: true,
  releaseTrain: "Stable",
});

/** A configuration with a token, since most rules are about one. `httpsKey` is base64 of "a-token". */
export const goodFlux = (): Values => ({
  ...parent,
  fluxConfigurationName: "edge-config",
  namespace: "flux-system",
  scope: "cluster",
  sourceKind: "GitRepository",
  suspend: false,
  gitRepository: {
    url: "https://git.example.com/edge/fleet.git",
    repositoryRef: { branch: "main" },
    syncIntervalInSeconds: 600,
    timeoutInSeconds: 600,
    httpsUser: "git",
  },
  configurationProtectedSettings: { httpsKey: "YS10b2tlbg==" },
  kustomizations: { bootstrap: { path: "./clusters/edge-0/flux", prune: true } },
});

/** The values with one place changed; a path is written with dots, and undefined takes the place away. */
export function change(values: Values, place: string, value: unknown): Values {
  const copy = structuredClone(values);
  const keys = place.split(".");
  const last = keys.pop() ?? "";
  const holder = keys.reduce<Values>((at, key) => (at[key] ??= {}) as Values, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
