import { matchable, matches, type View } from "./layers.ts";
import {
  fluxNamespace,
  namespaceOf,
  type ClusterSecret,
  type ClusterSet,
  type ValueSource,
} from "./model.ts";
import type { FleetFile } from "./schema.ts";
import type { SecretEntry, ValueSourceEntry } from "./schema/secrets.ts";
import { fill, placeholders } from "./template.ts";
import { secretNames } from "./setSecrets.ts";

/** The Kustomization that applies the secrets of a cluster, and the folder that it applies, below the cluster folder. */
export const secretsName = "secrets";

/** The file of the namespaces that a generated folder needs, without its ending; no secret may be called so, and no set beside one. */
export const namespacesFile = "namespaces";

/** The Secret in flux-system that holds the private key of a cluster, which Flux decrypts with. */
export const clusterKeySecret = "sops-age";

/** The secrets of a cluster, sorted by key; undefined where the fleet file declares none at all. */
export function resolveSecrets(file: FleetFile, view: View): ClusterSecret[] | undefined {
  const declared = Object.keys(file.secrets);
  if (declared.length === 0) return undefined;
  const labels = matchable(view.entry);
  return declared
    .filter((key) => matches(labels, Object.entries(file.secrets[key]!.match ?? {})))
    .sort()
    .map((key) => resolveSecret(key, file.secrets[key]!, view));
}

function resolveSecret(key: string, entry: SecretEntry, view: View): ClusterSecret {
  const { version, previous, identity } = entry;
  const values = placeholders({ ...view.entry, name: view.name });
  const current = filled(entry, { ...values, version: version?.toString() });
  const before = previous === undefined ? {} : filled(entry, { ...values, version: String(previous) });
  return {
    key,
    name: entry.name ?? key,
    namespace: entry.namespace ?? fluxNamespace,
    type: entry.type ?? "Opaque",
    deliver: entry.external ? "external" : (entry.deliver ?? "git"),
    keys: {
      ...current,
      ...Object.fromEntries(Object.entries(before).map(([name, source]) => [`${name}.previous`, source])),
    },
    ...(previous !== undefined && { rotation: `${version}/${previous}` }),
    ...(identity && { identity }),
  };
}

function filled(
  { keys = {} }: SecretEntry,
  values: Readonly<Record<string, string | undefined>>,
): Record<string, ValueSource> {
  return Object.fromEntries(Object.entries(keys).map(([key, source]) => [key, filledSource(source, values)]));
}

/** Where a value comes from, for one cluster. */
export function filledSource(
  { config, env, keyVault, sops }: ValueSourceEntry,
  values: Readonly<Record<string, string | undefined>>,
): ValueSource {
  const put = (text: string): string => fill(text, values);
  if (config !== undefined) return { config: put(config) };
  if (env !== undefined) return { env: put(env) };
  if (keyVault) return { keyVault: { vault: keyVault.vault, secret: put(keyVault.secret) } };
  return { sops: { file: put(sops?.file ?? ""), key: sops?.key ?? "" } };
}

/** Whether a secret is applied by the Kustomization `secrets`. */
export function isApplied({ deliver }: ClusterSecret): boolean {
  return deliver !== "external" && deliver !== "pulumi";
}

/**
 * Sets that Flux cannot build without a secret that the Kustomization `secrets` brings wait for it. On a cluster that has
 * no key yet there is no such Kustomization, so Flux holds these sets up until it comes, and deletes nothing.
 */
export function waitForSecrets(
  sets: readonly ClusterSet[],
  secrets: readonly ClusterSecret[] | undefined,
): ClusterSet[] {
  const brought = new Set(
    (secrets ?? [])
      .filter((one) => isApplied(one) && one.deliver !== "csi")
      .map(({ namespace, name }) => `${namespace}/${name}`),
  );
  return sets.map((set) => {
    if (!secretNames(set).some((name) => brought.has(`${namespaceOf(set)}/${name}`))) return set;
    if (set.dependsOn.some(({ name }) => name === secretsName)) return set;
    return { ...set, dependsOn: [...set.dependsOn, { name: secretsName, external: true }] };
  });
}
