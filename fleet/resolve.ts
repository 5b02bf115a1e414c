import { mergeLayers, setLayers } from "./layers.ts";
import type { Arc, Cluster, ClusterSet, Fleet, Kubeconfig, PlainMap } from "./model.ts";
import { folder, normalPath } from "./repositoryPath.ts";
import type { ClusterEntry, FleetFile } from "./schema.ts";

/** Merges defaults, shared sets and clusters. Takes a file whose single values are sound; checks nothing itself. */
export function resolveFleet(file: FleetFile): Fleet {
  return {
    repository: file.repository,
    clusters: Object.entries(file.clusters).map(([name, entry]) => resolveCluster(file, name, entry)),
  };
}

function resolveCluster(file: FleetFile, name: string, entry: ClusterEntry): Cluster {
  const clusterFolder = folder(file.layout.cluster.replaceAll("{cluster}", name));
  const substitute = entry.variables ?? {};
  const taken = Object.entries(entry.sets ?? {}).filter(([, fields]) => fields !== null);
  return {
    name,
    labels: entry.labels ?? {},
    attributes: {},
    follows: file.repository.branch,
    platform: "arc",
    lifecycle: "active",
    agents: entry.agents,
    ...(entry.kubeconfig && { kubeconfig: entry.kubeconfig as Kubeconfig }),
    arc: resolveArc(file, entry),
    config: file.config,
    bootstrap: file.bootstrap,
    flux: { ...file.flux, ...(entry.flux as Partial<FleetFile["flux"]> | undefined) },
    folder: clusterFolder,
    fluxFolder: folder(`${clusterFolder}/${file.layout.flux}`),
    setsFolder: folder(`${clusterFolder}/${file.layout.sets}`),
    sets: taken
      .map(([set]) => resolveSet(file, name, set, `${clusterFolder}/${file.layout.sets}/${set}`, substitute))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    sources: [],
    windows: [],
    alerts: [],
    apps: [],
  };
}

function resolveArc(file: FleetFile, entry: ClusterEntry): Arc {
  return {
    resourceGroup: entry.arc?.resourceGroup ?? file.arc.resourceGroup ?? "",
    location: entry.arc?.location ?? file.arc.location ?? "",
    tags: { ...file.arc.tags, ...entry.arc?.tags },
  };
}

function resolveSet(
  file: FleetFile,
  cluster: string,
  name: string,
  ownFolder: string,
  substitute: Readonly<Record<string, string>>,
): ClusterSet {
  const { interval, prune, path, dependsOn, labels, annotations, ...rest } = mergeLayers(
    setLayers(file, cluster, name),
  );
  return {
    name,
    labels: labels ?? {},
    annotations: annotations ?? {},
    dependsOn: (dependsOn ?? []).map((dependency) => ({ name: dependency })),
    sourceRef: { kind: "GitRepository", name: file.config },
    spec: {
      ...(rest as PlainMap),
      path: normalPath(path ?? ownFolder),
      interval: interval ?? file.defaults.interval,
      prune: prune ?? file.defaults.prune,
      ...(Object.keys(substitute).length > 0 && { postBuild: { substitute } }),
    },
  };
}
