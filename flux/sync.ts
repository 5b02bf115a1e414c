import { durationSeconds } from "../values/duration.ts";
import { type Bootstrap, type Cluster, fluxNamespace, type Repository } from "../fleet/model.ts";
import { fluxUrl } from "../fleet/sourceUrl.ts";
import { kustomizationApi } from "./kustomization.ts";
import { needsRepositorySecret, repositorySecretName } from "./repositorySecret.ts";
import { sourceApiVersion } from "./source.ts";
import type { YamlMap } from "./yaml.ts";

/* The two objects that a cluster begins with, as manifests or, for an update that makes them, as inputs of a component. */

/** `Text` is a string, or what becomes one during an update. */
export interface FollowedRepository<Text> {
  /** Name of the GitRepository. */
  readonly config: Text;
  /** As Flux takes it. */
  readonly url: Text;
  readonly branch: Text;
  /** The Secret with the credentials; undefined for a public repository. */
  readonly secretName: Text | undefined;
  readonly fetchInterval: string;
  /** How long a fetch may take. */
  readonly timeout: string;
  /** Left out it is nobody's here, and stays as somebody set it on the cluster by hand. */
  readonly suspend: true | undefined;
}

/** The GitRepository of the fleet. */
export function followedRepository<Text>(of: FollowedRepository<Text>) {
  return {
    apiVersion: sourceApiVersion,
    kind: "GitRepository",
    metadata: { name: of.config, namespace: fluxNamespace },
    spec: {
      url: of.url,
      secretRef: of.secretName === undefined ? undefined : { name: of.secretName },
      interval: of.fetchInterval,
      // A GitRepository takes no hours here, as a Kustomization does.
      timeout: `${durationSeconds(of.timeout)}s`,
      ref: { branch: of.branch },
      suspend: of.suspend,
    },
  };
}

/** The Kustomization that applies a flux folder; `path` is relative to the root, such as `./clusters/edge-0/flux`. */
export function bootstrapKustomization<Text>(
  of: Pick<FollowedRepository<Text>, "config" | "suspend"> & { readonly name: Text; readonly path: Text },
  { interval, retryInterval, timeout, prune, wait, force }: Bootstrap,
) {
  return {
    ...kustomizationApi,
    metadata: { name: of.name, namespace: fluxNamespace },
    spec: {
      sourceRef: { kind: "GitRepository", name: of.config },
      prune,
      interval,
      retryInterval,
      path: of.path,
      suspend: of.suspend,
      wait,
      timeout,
      force,
    },
  };
}

/** Both as manifests, for clusters that no update reaches. */
export function renderSync(
  cluster: Pick<
    Cluster,
    "config" | "platform" | "follows" | "fetchInterval" | "fluxFolder" | "bootstrap" | "suspension"
  >,
  repository: Pick<Repository, "url" | "access" | "caFile">,
): YamlMap[] {
  const { config, bootstrap, suspension, fetchInterval } = cluster;
  const suspend = (suspension !== undefined && suspension.through !== "git") || undefined;
  return [
    followedRepository({
      ...{ config, fetchInterval, suspend, timeout: bootstrap.timeout },
      url: fluxUrl(repository.url),
      branch: cluster.follows,
      secretName: needsRepositorySecret(repository) ? repositorySecretName(cluster) : undefined,
    }),
    bootstrapKustomization(
      { config, suspend, name: `${config}-bootstrap`, path: `./${cluster.fluxFolder}` },
      bootstrap,
    ),
  ];
}
