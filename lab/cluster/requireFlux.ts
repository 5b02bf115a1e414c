import type { ClusterApi } from "./clusterApi.ts";

/** What the lab needs of a cluster that it has not started. */
const needed = [
  { apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository" },
  { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" },
] as const;

/** Throws one error that names, per context, why its cluster does not answer, or the kinds of Flux that it does not know. */
export async function requireFlux(apis: ReadonlyMap<string, ClusterApi>): Promise<void> {
  const faults = await Promise.all(
    [...apis].map(async ([context, api]) => {
      const known = await Promise.all(
        needed.map(({ apiVersion, kind }) => api.knows(apiVersion, kind)),
      ).catch((error: unknown) => error as Error);
      if (known instanceof Error) {
        return [
          `The cluster of the context ${context} does not answer: ${known.message}. Start it, or name others with --cluster-names.`,
        ];
      }
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
