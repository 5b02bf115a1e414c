import * as pulumi from "@pulumi/pulumi";

import type { Fleet } from "../fleet/model.ts";
import { nearest } from "../values/nearest.ts";

/** Keys of stack config that the program reads, in the namespace `arcflux`. */
const knownKeys = [
  "fleet",
  "clusters",
  "protect",
  "adopt",
  "drift",
  "onDelete",
  "takeFrom",
  "compliance",
  "repositoryUrl",
  "agentsChart",
  "repositoryUser",
  "repositoryToken",
  "repositorySshKey",
  "repositoryKnownHosts",
  "sealingKey",
] as const;

/**
 * Refuses stack config that nothing reads: a misspelt `protect` would be an outage that nobody was warned of.
 *
 * @throws a RunError that names every such key, the nearest known one and how to take it out.
 */
export function refuseUnknownKeys(fleet: Fleet): void {
  // A fleet file names keys of its own, which hold kubeconfigs; other stacks' clusters count too.
  const kubeconfigs = fleet.clusters.flatMap(({ kubeconfig }) =>
    kubeconfig !== undefined && "config" in kubeconfig ? [kubeconfig.config] : [],
  );
  const values = fleet.clusters.flatMap(({ secrets = [] }) =>
    secrets.flatMap(({ keys }) =>
      Object.values(keys).flatMap((one) => ("config" in one ? [one.config] : [])),
    ),
  );
  const credentials = fleet.clusters.flatMap(({ credentials: one }) =>
    one !== undefined && "config" in one ? [one.config] : [],
  );
  const known = new Set<string>([...knownKeys, ...kubeconfigs, ...values, ...credentials]);
  const unknown = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith("arcflux:"))
    .map((key) => key.slice("arcflux:".length))
    .filter((key) => !known.has(key));
  if (unknown.length === 0) return;
  const lines = unknown.map((key) => {
    const near = nearest(key, known);
    const hint = near === undefined ? "" : ` Did you mean arcflux:${near}?`;
    return `Stack config arcflux:${key} is read by nothing.${hint} Take it out with: pulumi config rm arcflux:${key}`;
  });
  throw new pulumi.RunError([...lines, `Known keys: ${[...known].join(", ")}`].join("\n"));
}
