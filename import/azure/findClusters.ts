import { isDeepStrictEqual } from "node:util";
import { fluxNamespace } from "../../fleet/model.ts";
import { asMap, asText, type YamlMap } from "../../values/maps.ts";
import { isSameRepository } from "../../values/repositoryUrl.ts";
import { clusterNames } from "../clusterNames.ts";
import type { NotTaken } from "../notTaken.ts";
import type { FoundCluster } from "../readCluster.ts";
import type { Root } from "../roots.ts";
import { successorsOf } from "./asSets.ts";
import { type FromConfiguration, objectsOfConfiguration } from "./configuration.ts";
import { extensionOf, isFluxExtension } from "./extension.ts";
import type { AzureRow, AzureRows } from "./query.ts";
import { goesReasons, staysReason, type Told, toldOnce } from "./told.ts";

const clusterId =
  /^(\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+\/[^/]+)\/([^/]+))(?:\/providers\/Microsoft\.KubernetesConfiguration\/[^/]+\/([^/]+))?$/i;

/**
 * Clusters by what Azure has of them: the Flux configurations of one repository, as what adopt moves them to. Those of others
 * stay as they are. `repositoryUrl` says which repository, where several are taken.
 */
export function clustersInAzure(
  rows: AzureRows,
  repositoryUrl?: string,
): {
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
  const made = withFlux.map(([key]) =>
    configurations
      .get(key)!
      .map((each) => objectsOfConfiguration(partsOf(each).child, asMap(each.properties))),
  );
  const counts = repositoryCounts(made);
  const told: Told[] = [];
  const clusters = withFlux.flatMap(([key, row], index): FoundCluster[] => {
    const name = names[index]!;
    const all = made[index]!.toSorted((one, other) => mainFirst(one, other, counts, repositoryUrl));
    const [main] = all;
    const goes = all.filter(
      (each) => urlOf(each) !== undefined && isSameRepository(urlOf(each)!, urlOf(main!) ?? ""),
    );
    for (const each of all.filter((each) => !goes.includes(each)))
      told.push({ configuration: each.name, cluster: name, reason: staysReason(each), matter: "object" });
    const successors = successorsOf(goes, all);
    for (const each of successors)
      told.push(
        ...goesReasons(each).map((said) => ({ configuration: each.from.name, cluster: name, ...said })),
      );
    if (goes.length === 0) return [];
    const extension = extensionOf(extensions.get(key));
    return [
      {
        name,
        root: rootOf(main!),
        objects: successors.flatMap(({ objects }) => objects),
        nested: new Set(),
        azure: {
          arc: arcOf(row, name, extension.settings),
          lockdown: extension.lockdown,
          configurations: all.map((each) => each.name),
        },
      },
    ];
  });
  for (const { path, reason, matter } of toldOnce(told)) note(path, reason, matter);
  return { clusters, notTaken };
}

/** On how many clusters a repository is taken, by its URL: the fleet's is that of most. */
function repositoryCounts(clusters: readonly (readonly FromConfiguration[])[]): ReadonlyMap<string, number> {
  const urls = clusters.flatMap((all) => [...new Set(all.flatMap((each) => urlOf(each) ?? []))]);
  return new Map([...Map.groupBy(urls, (url) => url)].map(([url, found]) => [url, found.length]));
}

/** The configuration whose repository is the fleet's: a stated one, then one of flux-system, then what most clusters take. */
function mainFirst(
  one: FromConfiguration,
  other: FromConfiguration,
  counts: ReadonlyMap<string, number>,
  stated: string | undefined,
): number {
  const weight = (each: FromConfiguration): number => {
    const url = urlOf(each);
    if (url === undefined) return 4;
    return (
      (stated === undefined || isSameRepository(url, stated) ? 0 : 2) +
      (each.namespace === fluxNamespace ? 0 : 1)
    );
  };
  const count = (each: FromConfiguration): number => counts.get(urlOf(each) ?? "") ?? 0;
  return weight(one) - weight(other) || count(other) - count(one) || (one.name < other.name ? -1 : 1);
}

/** Of its Git repository; undefined where it takes something else. */
function urlOf({ source }: FromConfiguration): string | undefined {
  return source?.kind === "GitRepository" ? asText(asMap(source.value["spec"])["url"]) : undefined;
}

function rootOf({ name }: FromConfiguration): Root {
  return {
    folder: "",
    base: "",
    label: `Flux configuration ${name}`,
    name: "",
    file: "",
    spec: {},
    source: { kind: "GitRepository", name },
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
