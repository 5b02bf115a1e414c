import type { ClusterSecret } from "../../fleet/model.ts";
import type { YamlMap } from "../yaml.ts";

/** Objects by which the cluster fetches a secret from Key Vault itself, by workload identity; none for other secrets. */
export function fetchedObjects(secret: ClusterSecret): YamlMap[] {
  switch (secret.deliver) {
    case "externalSecrets":
      return externalSecret(secret);
    case "csi":
      return [secretProviderClass(secret)];
    case "git":
    case "pulumi":
    case "external":
      return [];
  }
}

/** For the External Secrets operator: it makes the Secret, and looks for another value every hour. */
function externalSecret(secret: ClusterSecret): YamlMap[] {
  const { name, namespace, type, identity } = secret;
  const metadata = { name, namespace };
  return [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: {
        ...metadata,
        annotations: {
          "azure.workload.identity/client-id": identity?.clientId,
          "azure.workload.identity/tenant-id": identity?.tenantId,
        },
      },
      automountServiceAccountToken: false,
    },
    {
      apiVersion: "external-secrets.io/v1",
      kind: "SecretStore",
      metadata,
      spec: {
        provider: {
          azurekv: {
            authType: "WorkloadIdentity",
            vaultUrl: `https://${vaultOf(secret)}.vault.azure.net`,
            serviceAccountRef: { name },
          },
        },
      },
    },
    {
      apiVersion: "external-secrets.io/v1",
      kind: "ExternalSecret",
      metadata,
      spec: {
        refreshInterval: "1h",
        secretStoreRef: { kind: "SecretStore", name },
        target: { name, template: { type } },
        data: vaultKeys(secret).map(([secretKey, key]) => ({ secretKey, remoteRef: { key } })),
      },
    },
  ];
}

/** For the Secrets Store CSI driver: pods mount it by name, and the Secret is there while one does. */
function secretProviderClass(secret: ClusterSecret): YamlMap {
  const { name, namespace, type, identity } = secret;
  const keys = vaultKeys(secret);
  const objects = keys.map(([, key]) => `  - |\n    objectName: ${key}\n    objectType: secret\n`).join("");
  return {
    apiVersion: "secrets-store.csi.x-k8s.io/v1",
    kind: "SecretProviderClass",
    metadata: { name, namespace },
    spec: {
      provider: "azure",
      parameters: {
        clientID: identity?.clientId,
        tenantId: identity?.tenantId,
        keyvaultName: vaultOf(secret),
        usePodIdentity: "false",
        objects: `array:\n${objects}`,
      },
      secretObjects: [
        { secretName: name, type, data: keys.map(([key, objectName]) => ({ key, objectName })) },
      ],
    },
  };
}

/** Its keys with the names of the secrets in the vault. */
function vaultKeys({ keys }: ClusterSecret): [key: string, secret: string][] {
  return Object.keys(keys)
    .sort()
    .flatMap((key) => {
      const source = keys[key]!;
      return "keyVault" in source ? [[key, source.keyVault.secret] as [string, string]] : [];
    });
}

function vaultOf({ keys }: ClusterSecret): string {
  const [first] = Object.values(keys);
  return first !== undefined && "keyVault" in first ? first.keyVault.vault : "";
}
