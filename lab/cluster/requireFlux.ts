import type { ClusterApi } from "./clusterApi.ts";

/** What the lab needs of a cluster that it has not started. */
const needed = [
  { apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository" },
  { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" },
] as const;

/** Throws one error that names, per context, the kinds of Flux that the cluster does not know. */
export async function requireFlux(apis: ReadonlyMap<string, ClusterApi>): Promise<void> {
  const faults = await Promise.all(
    [...apis].map(async ([context, api]) => {
      const known = await Promise.all(needed.map(({ apiVersion, kind }) => api.knows(apiVersion, kind)));
      const missing = needed
        .filter((_, index) => !known[index])
        .map(({ apiVersion, kind }) => `${kind} (${apiVersion})`);
      return missing.length === 0
        ? []
        : [`The cluster of the context ${context} does not know ${missing.join(" and ")}.`];
    }),
  );
  const lines = faults.flat();
  if (lines.length === 0) return;
  throw new Error(
    `${lines.join("\n")}\nThe lab changes nothing about a cluster that it did not start. Install Flux there (\`flux install\`), or leave --kubeconfig away: --cluster starts one.`,
  );
}
