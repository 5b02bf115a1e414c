import { durationSeconds } from "../values/duration.ts";
import { type Cluster, fluxNamespace, type Repository } from "../fleet/model.ts";
import { fluxUrl } from "../fleet/sourceUrl.ts";
import { kustomizationApi } from "./kustomization.ts";
import { needsRepositorySecret, repositorySecretName } from "./repositorySecret.ts";
import { sourceApiVersion } from "./source.ts";
import type { YamlMap } from "./yaml.ts";

/**
 * The two objects that a cluster begins with, as manifests: the GitRepository of the fleet, and the bootstrap that applies
 * its flux folder. For clusters that no update reaches; elsewhere components/fluxObjects.ts makes the same.
 */
export function renderSync(
  cluster: Pick<
    Cluster,
    "config" | "platform" | "follows" | "fetchInterval" | "fluxFolder" | "bootstrap" | "suspension"
  >,
  repository: Pick<Repository, "url" | "access" | "caFile">,
): YamlMap[] {
  const { config, bootstrap, suspension } = cluster;
  const { interval, retryInterval, timeout, prune, wait, force } = bootstrap;
  const suspend = (suspension !== undefined && suspension.through !== "git") || undefined;
  return [
    {
      apiVersion: sourceApiVersion,
      kind: "GitRepository",
      metadata: { name: config, namespace: fluxNamespace },
      spec: {
        url: fluxUrl(repository.url),
        secretRef: needsRepositorySecret(repository) ? { name: repositorySecretName(cluster) } : undefined,
        interval: cluster.fetchInterval,
        // A GitRepository takes no hours here, as a Kustomization does.
        timeout: `${durationSeconds(timeout)}s`,
        ref: { branch: cluster.follows },
        suspend,
      },
    },
    {
      ...kustomizationApi,
      metadata: { name: `${config}-bootstrap`, namespace: fluxNamespace },
      spec: {
        sourceRef: { kind: "GitRepository", name: config },
        prune,
        interval,
        retryInterval,
        path: `./${cluster.fluxFolder}`,
        suspend,
        wait,
        timeout,
        force,
      },
    },
  ];
}
