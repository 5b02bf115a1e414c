import { type Cluster, fluxNamespace } from "../fleet/model.ts";
import { kustomizationApi } from "./kustomization.ts";
import type { YamlMap } from "./yaml.ts";

/** What is said of a folder of a cluster that is applied, beside what its bootstrap says. */
interface Followed {
  /** Name of the Kustomization. */
  readonly name: string;
  /** The folder, from that of the cluster. */
  readonly folder: string;
  /** Defaults to the fleet's own repository. */
  readonly sourceRef?: { readonly kind: string; readonly name: string };
  /** Whether it is ready only when all that it applies is. */
  readonly wait?: true;
  readonly decryption?: YamlMap | undefined;
}

/** The Kustomization of a generated folder that lies apart from the flux folder, at the times of the bootstrap. */
export function followFolder(
  { name, folder, sourceRef, wait, decryption }: Followed,
  cluster: Pick<Cluster, "config" | "bootstrap" | "folder">,
): YamlMap {
  const { interval, retryInterval, timeout, prune, force } = cluster.bootstrap;
  return {
    ...kustomizationApi,
    metadata: { name, namespace: fluxNamespace },
    spec: {
      sourceRef: sourceRef ?? { kind: "GitRepository", name: cluster.config },
      prune,
      interval,
      retryInterval,
      path: `./${cluster.folder}/${folder}`,
      wait,
      timeout,
      force: force || undefined,
      decryption,
    },
  };
}
