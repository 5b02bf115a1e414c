import { clusterLabel, packsFolder } from "../fleet/management.ts";
import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { needsRepositorySecret } from "../flux/repositorySecret.ts";
import { renderSync } from "../flux/sync.ts";
import { toYaml, toYamlDocuments, type YamlMap } from "../flux/yaml.ts";
import { configMapOf, packManifests, tooLarge } from "./configMaps.ts";
import type { Manifests } from "./manifests.ts";

/** How often Cluster API applies a pack: again when it changes, or when the cluster comes up and never again. */
export const strategies = ["Reconcile", "ApplyOnce"] as const;
export type Strategy = (typeof strategies)[number];

/** What a pack is made with, besides the fleet. */
export interface PackOptions {
  /** Namespace of the Cluster on its management cluster: a ClusterResourceSet sees no other. */
  readonly namespace: string;
  readonly strategy: Strategy;
}

/** Name of the Secret on the management cluster with the manifest of the one that a cluster reads the repository with. */
export function readKeyName({ name }: Pick<Cluster, "name">): string {
  return `${name}-read-key`;
}

/**
 * The files of the packs of clusters, from the root of the repository to content: for each a ClusterResourceSet with its
 * GitRepository and bootstrap, and beside them the manifests, which clusters that have the same share. The same input gives
 * the same bytes.
 */
export function packFiles(
  clusters: readonly Cluster[],
  { clusters: all, repository }: Pick<Fleet, "clusters" | "repository">,
  manifests: readonly Manifests[],
  options: PackOptions,
): Map<string, string> {
  const packed = manifests.map((one) => packManifests(one, options.namespace));
  // Megabytes, which all clusters share.
  const shared = [...packed.flatMap(({ ground }) => ground), ...packed.flatMap(({ rest }) => rest)].map(
    (one) => ({ name: nameOf(one), text: write([one]) }),
  );
  const files = new Map<string, string>();
  for (const cluster of clusters) {
    const manager = all.find(({ name }) => name === cluster.managedBy)!;
    const folder = packsFolder(manager);
    for (const { name, text } of shared) files.set(`${folder}/manifests/${name}.yaml`, text);
    const own = ownObjects(cluster, repository, options);
    const resources = [
      ...shared.map(({ name }) => ({ kind: "ConfigMap", name })),
      ...(needsRepositorySecret(repository) ? [{ kind: "Secret", name: readKeyName(cluster) }] : []),
      { kind: "ConfigMap", name: nameOf(own) },
    ];
    files.set(`${folder}/${cluster.name}.yaml`, write([setOf(cluster, resources, manifests, options), own]));
  }
  return files;
}

/** Everything that keeps manifests from being packed together, each a sentence about a file. */
export function packFaults(manifests: readonly Manifests[], { namespace }: PackOptions): string[] {
  const faults: string[] = [];
  const owners = new Map<string, string>();
  const ownOf = [`GitRepository ${fluxNamespace}/`, `Kustomization ${fluxNamespace}/`];
  for (const one of manifests) {
    for (const { key, shown, ref } of one.documents) {
      const owner = owners.get(key);
      if (owner !== undefined)
        faults.push(
          `${one.name}: has ${shown}${owner === one.name ? " twice" : `, and so has ${owner}`}; take one of them out.`,
        );
      owners.set(key, one.name);
      if (ref.apiVersion.includes("toolkit.fluxcd.io/") && ownOf.some((start) => shown.startsWith(start)))
        faults.push(`${one.name}: has ${shown}, and a pack makes those itself; take gotk-sync out.`);
    }
    for (const { shown } of tooLarge(one, namespace))
      faults.push(`${one.name}: ${shown} has more than 1 MiB, which no ConfigMap can hold; make it smaller.`);
  }
  const needed = [
    `Namespace ${fluxNamespace}`,
    "CustomResourceDefinition gitrepositories.source.toolkit.fluxcd.io",
    "CustomResourceDefinition kustomizations.kustomize.toolkit.fluxcd.io",
  ];
  const there = new Set(manifests.flatMap(({ documents }) => documents.map(({ shown }) => shown)));
  const missing = needed.filter((one) => !there.has(one));
  if (missing.length > 0)
    faults.push(`The manifests lack ${missing.join(", ")}; add what flux install --export prints.`);
  return faults;
}

function setOf(
  { name }: Cluster,
  resources: YamlMap[],
  manifests: readonly Manifests[],
  { namespace, strategy }: PackOptions,
): YamlMap {
  const from = manifests.map(
    ({ name: file, version, sha256 }) =>
      `${file}${version === undefined ? "" : ` ${version}`} sha256:${sha256}`,
  );
  return {
    apiVersion: "addons.cluster.x-k8s.io/v1beta2",
    kind: "ClusterResourceSet",
    metadata: { name, namespace, annotations: { "arcflux.io/manifests": from.join(", ") } },
    spec: { strategy, clusterSelector: { matchLabels: { [clusterLabel]: name } }, resources },
  };
}

function ownObjects(cluster: Cluster, repository: Fleet["repository"], { namespace }: PackOptions): YamlMap {
  const text = toYamlDocuments(renderSync(cluster, repository), `What ${cluster.name} begins with.`);
  return configMapOf(namespace, `${cluster.name}-bootstrap`, text);
}

function nameOf(object: YamlMap): string {
  return (object["metadata"] as { readonly name: string }).name;
}

function write(objects: readonly YamlMap[]): string {
  const [only, ...others] = objects;
  return only !== undefined && others.length === 0
    ? toYaml(only, generatedNote)
    : toYamlDocuments(objects, generatedNote);
}
