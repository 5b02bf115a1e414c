import type { Cluster, ClusterSet, Window } from "../../fleet/model.ts";

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

/** A window from 1 to 4 at night in Berlin. */
export function windowOf(name: string, change: Partial<Window> = {}): Window {
  return {
    name,
    spans: [
      { opens: 60, lasts: 180, days: { day: "*", month: "*", weekday: "*" }, timeZone: "Europe/Berlin" },
    ],
    settle: 5,
    pulses: [{ schedule: "*/10 1-3 * * *", timeZone: "Europe/Berlin" }],
    source: {
      name: `window-${name}`,
      kind: "GitRepository",
      self: true,
      spec: { url: "https://git.example.com/edge/fleet.git", ref: { branch: "main" }, interval: "24h" },
    },
    jobs: { image: "registry.k8s.io/kubectl:v1.34.1" },
    ...change,
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
    hardware: 1,
    arc: { name: "edge-0", resourceGroup: "rg", location: "westeurope", tags: {}, connection: {} },
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
    folder: "clusters/edge-0",
    fluxFolder: "clusters/edge-0/flux",
    setsFolder: "clusters/edge-0/sets",
    sets: [],
    sources: [],
    windows: [],
    tenants: [],
    alerts: [],
    apps: [],
    ...change,
  };
}
