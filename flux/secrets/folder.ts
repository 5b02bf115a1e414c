import { type Cluster, type ClusterSecret, fluxNamespace } from "../../fleet/model.ts";
import { clusterKeySecret, isApplied, namespacesFile, secretsName } from "../../fleet/resolveSecrets.ts";
import { fullPath } from "../../values/path.ts";
import { followFolder } from "../follow.ts";
import { neededNamespace } from "../namespace.ts";
import type { YamlMap } from "../yaml.ts";
import { fetchedObjects } from "./fetched.ts";

/** Its key: Flux takes every one that ends in `.agekey`. */
export const clusterKeyName = "age.agekey";

/**
 * Whether the folder of secrets is written for a cluster. Without a recipient nothing could be encrypted for it: then none of it
 * is, so that sets which need a secret wait for the Kustomization, and do not meet half of it.
 */
export function hasSecretsFolder({ secrets = [], recipient }: Cluster): boolean {
  const applied = secrets.filter(isApplied);
  return applied.length > 0 && (recipient !== undefined || !applied.some(({ deliver }) => deliver === "git"));
}

/** The secrets that are encrypted into the folder of a cluster. */
export function sealedSecrets(cluster: Cluster): readonly ClusterSecret[] {
  return hasSecretsFolder(cluster) ? cluster.secrets!.filter(({ deliver }) => deliver === "git") : [];
}

/** Where the encrypted file of a secret lies, from the root of the repository. */
export function sealedPath({ folder }: Pick<Cluster, "folder">, key: string): string {
  return fullPath(folder, `${secretsName}/${key}.yaml`);
}

/** Applies the folder of secrets, apart from the bootstrap, which decrypts nothing and would stop at an encrypted file. */
export function followSecrets(cluster: Cluster): YamlMap[] {
  if (!hasSecretsFolder(cluster)) return [];
  const decryption =
    sealedSecrets(cluster).length > 0
      ? { provider: "sops", secretRef: { name: clusterKeySecret } }
      : undefined;
  return [followFolder({ name: secretsName, folder: secretsName, wait: true, decryption }, cluster)];
}

/** What the folder of secrets holds beside encrypted files, by file name without its ending. */
export function plainSecretFiles(cluster: Cluster): [name: string, documents: readonly YamlMap[]][] {
  if (!hasSecretsFolder(cluster)) return [];
  const applied = cluster.secrets!.filter(isApplied);
  const namespaces = [...new Set(applied.map(({ namespace }) => namespace))]
    .filter((one) => one !== fluxNamespace)
    .sort();
  return [
    ...(namespaces.length > 0
      ? [[namespacesFile, namespaces.map(neededNamespace)] as [string, readonly YamlMap[]]]
      : []),
    ...applied.flatMap((secret): [string, readonly YamlMap[]][] => {
      const objects = fetchedObjects(secret);
      return objects.length > 0 ? [[secret.key, objects]] : [];
    }),
  ];
}
