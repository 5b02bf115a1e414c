import { isDeepStrictEqual } from "node:util";
import { fluxNamespace } from "../../fleet/model.ts";
import { asMap, type YamlMap } from "../../values/maps.ts";
import { clusterNames } from "../clusterNames.ts";
import type { NotTaken } from "../notTaken.ts";
import type { FoundCluster } from "../readCluster.ts";
import type { Root } from "../roots.ts";
import { type FromConfiguration, objectsOfConfiguration } from "./configuration.ts";
import { extensionOf, isFluxExtension } from "./extension.ts";
import type { AzureRow, AzureRows } from "./query.ts";

const clusterId =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+\/[^/]+)\/([^/]+))(?:\/providers\/Microsoft\.KubernetesConfiguration\/[^/]+\/([^/]+))?$/i;

/** Clusters by what Azure has of them: every Flux configuration with all that it makes on the cluster. */
export function clustersInAzure(rows: AzureRows): {
  readonly clusters: readonly FoundCluster[];
  readonly notTaken: NotTaken[];
} {
  const notTaken: NotTaken[] = [];
  const note = (path: string, reason: string, matter: NotTaken["matter"] = "object"): void =>
    void notTaken.push({ file: "", path, reason, matter });
  const configurations = Map.groupBy(rows.configurations, keyOf);
  const extensions = new Map(rows.extensions.filter(isFluxExtension).map((row) => [keyOf(row), row]));
  const connected = new Map(rows.clusters.map((row) => [keyOf(row), row]));
  for (const [key, found] of configurations) {
    const { type, name } = partsOf(found[0]!);
    if (!connected.has(key))
      note(
        `cluster ${name}`,
        `is left out: it is one of ${type}, and Arcflux is for clusters that Azure Arc connects`,
      );
  }
  const withFlux = [...connected].filter(([key]) => configurations.has(key));
  const names = clusterNames(withFlux.map(([, row]) => `${partsOf(row).group}/${partsOf(row).name}`));
  const clusters = withFlux.map(([key, row], index): FoundCluster => {
    const name = names[index]!;
    const made = configurations
      .get(key)!
      .map((each) => objectsOfConfiguration(partsOf(each).child, asMap(each.properties)))
      .sort(mainFirst);
    for (const each of made) tell(each, name, note);
    const extension = extensionOf(extensions.get(key));
    return {
      name,
      root: rootOf(made[0]!),
      objects: made.flatMap(({ source, kustomizations }) => [...(source ? [source] : []), ...kustomizations]),
      nested: new Set(),
      azure: { arc: arcOf(row, name, extension.settings), lockdown: extension.lockdown },
    };
  });
  return { clusters, notTaken };
}

/** The configuration whose repository is the fleet's: one of flux-system before others, then by name. */
function mainFirst(one: FromConfiguration, other: FromConfiguration): number {
  const weight = ({ namespace, source }: FromConfiguration): number =>
    (source?.kind === "GitRepository" ? 0 : 2) + (namespace === fluxNamespace ? 0 : 1);
  return weight(one) - weight(other) || (one.name < other.name ? -1 : 1);
}

/** What is right to know of a configuration before it goes. */
function tell(
  { name, namespace, source }: FromConfiguration,
  cluster: string,
  note: (path: string, reason: string, matter?: NotTaken["matter"]) => void,
): void {
  const path = `Flux configuration ${name} of ${cluster}`;
  note(
    path,
    "deletes its Kustomizations with all that they applied when it is deleted while they prune: switch prune off in it first, and see docs/guide/import.md",
    "decide",
  );
  if (source === undefined)
    note(path, "has a source that Flux has no object of; its sets name it by `sourceRef`", "decide");
  else if (namespace !== fluxNamespace)
    note(
      path,
      `is in ${namespace}: its sets stay there, and take ${source.kind} ${name}, which only that configuration makes`,
      "decide",
    );
}

function rootOf({ name, source, namespace }: FromConfiguration): Root {
  const isGit = source?.kind === "GitRepository";
  return {
    folder: "",
    base: "",
    label: `Flux configuration ${name}`,
    name: "",
    file: "",
    spec: {},
    // A source elsewhere is not what sets without a namespace name.
    source: { kind: "GitRepository", name: namespace === fluxNamespace ? name : "" },
    ...(isGit && { sourceSpec: asMap(source.value["spec"]) }),
  };
}

function arcOf(row: AzureRow, name: string, extension: YamlMap): YamlMap {
  const parts = partsOf(row);
  const tags = asMap(row.tags);
  return {
    subscription: parts.subscription,
    resourceGroup: parts.group,
    location: row.location ?? "",
    ...(parts.name !== name && { name: parts.name }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(!isDeepStrictEqual(extension, {}) && { extension }),
  };
}

/** A cluster, also as the one that a configuration or extension is of. */
function keyOf(row: AzureRow): string {
  return (clusterId.exec(row.id)?.[1] ?? row.id).toLowerCase();
}

function partsOf({ id }: AzureRow) {
  const [, , subscription = "", group = "", type = "", name = "", child = ""] = clusterId.exec(id) ?? [];
  return { subscription, group, type, name, child };
}
