import type { Cluster, ClusterSet } from "../../fleet/model.ts";

/** A set with nothing but what every set has. */
export function setOf(name: string, change: Partial<ClusterSet> = {}): ClusterSet {
  return {
    name,
    labels: {},
    annotations: {},
    dependsOn: [],
    sourceRef: { kind: "GitRepository", name: "edge-config" },
    ...change,
    spec: { path: `./${name}`, interval: "10m", prune: true, ...change.spec },
  };
}

/** A cluster without sets. */
export function clusterOf(change: Partial<Cluster> = {}): Cluster {
  return {
    name: "edge-0",
    labels: {},
    attributes: {},
    follows: "main",
    platform: "arc",
    lifecycle: "active",
    agents: "present",
    arc: { resourceGroup: "rg", location: "westeurope", tags: {} },
    config: "edge-config",
    bootstrap: {
      interval: "10m",
      retryInterval: "2m",
      timeout: "5m",
      prune: true,
      wait: false,
      force: false,
    },
    flux: { version: "2.7", lockdown: true },
    folder: "clusters/edge-0",
    fluxFolder: "clusters/edge-0/flux",
    setsFolder: "clusters/edge-0/sets",
    sets: [],
    sources: [],
    windows: [],
    alerts: [],
    apps: [],
    ...change,
  };
}
