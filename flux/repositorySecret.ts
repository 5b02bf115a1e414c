import type { Cluster, Repository } from "../fleet/model.ts";

/**
 * Name of the secret in flux-system that holds the credentials of the fleet's repository, for `url: self` sources of a
 * private repository. On Arc, Azure makes it from the protected settings of the Flux configuration, and its name is
 * Azure's choice: `<config>-protected-parameters` in public set-ups, and in no documentation. A source that is given its
 * own `secretRef` does not use it. On plain Kubernetes, Arcflux makes it.
 */
export function repositorySecretName(cluster: Pick<Cluster, "config" | "platform">): string {
  return cluster.platform === "arc" ? `${cluster.config}-protected-parameters` : `${cluster.config}-auth`;
}

/** Whether clusters need a secret to read the fleet's repository: for credentials, or for an authority of its own. */
export function needsRepositorySecret({ access, caFile }: Pick<Repository, "access" | "caFile">): boolean {
  return access !== "public" || caFile !== undefined;
}
