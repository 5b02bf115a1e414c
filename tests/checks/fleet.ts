import type { Cluster, ClusterSet, Fleet } from "../../fleet/model.ts";

/** A fleet of the contract between the parts, without a fleet file. */
export function fleetOf(...clusters: readonly Cluster[]): Fleet {
  return {
    repository: {
      url: "https://git.example.com/edge/fleet.git",
      branch: "main",
      access: "public",
      mode: "push",
      commit: { name: "Arcflux", email: "arcflux@example.com", per: "push" },
    },
    layout: { cluster: "clusters/{cluster}", flux: "flux", apps: "apps/{app}" },
    clusters,
    withoutFlux: [],
    removed: [],
    ignore: [],
    stages: [],
  };
}

/** A cluster in clusters/<name>, with its flux and sets folders in it. */
export function clusterOf(name: string, sets: readonly ClusterSet[], over: Partial<Cluster> = {}): Cluster {
  return {
    name,
    labels: {},
    attributes: {},
    follows: "main",
    platform: "arc",
    lifecycle: "active",
    agents: "present",
    hardware: 1,
    arc: { name, resourceGroup: "rg-edge", location: "westeurope", tags: {}, connection: {} },
    config: "edge-config",
    bootstrap: {
      interval: "10m",
      retryInterval: "2m",
      timeout: "5m",
      prune: true,
      wait: false,
      force: false,
    },
    fetchInterval: "10m",
    flux: { version: "2.7", lockdown: true },
    folder: `clusters/${name}`,
    fluxFolder: `clusters/${name}/flux`,
    setsFolder: `clusters/${name}/sets`,
    sets,
    sources: [],
    windows: [],
    tenants: [],
    alerts: [],
    apps: [],
    ...over,
  };
}

/** A set that takes `./apps/<name>` from the fleet's own repository. */
export function setOf(
  name: string,
  spec: Readonly<Record<string, unknown>> = {},
  over: Partial<ClusterSet> = {},
): ClusterSet {
  return {
    name,
    labels: {},
    annotations: {},
    dependsOn: [],
    sourceRef: { kind: "GitRepository", name: "edge-config" },
    spec: { path: `./apps/${name}`, interval: "10m", prune: true, ...(spec as object) },
    ...over,
  };
}
