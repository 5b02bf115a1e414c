import { type Cluster, fluxNamespace, type Repository } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { kustomizationApi } from "../flux/kustomization.ts";
import { kustomizeConfig } from "../flux/kustomizeConfig.ts";
import { renderSync } from "../flux/sync.ts";
import { toYaml, toYamlDocuments, type YamlMap } from "../flux/yaml.ts";
import { fullPath } from "../values/path.ts";
import type { FluxManifests } from "./manifests.ts";

/** The folder below that of a cluster which holds Flux itself, by the name that `flux bootstrap` gives it. */
export const componentsFolder = "flux-system";

/**
 * What a cluster that takes Flux from the repository needs there, from the root of the repository to content: the manifests
 * as they were released, the fleet's GitRepository with the bootstrap, and a Kustomization by which Flux keeps all of that at
 * what Git says. The same input gives the same bytes.
 */
export function componentFiles(
  cluster: Cluster,
  repository: Pick<Repository, "url" | "access" | "caFile">,
  { version, sha256 }: Pick<FluxManifests, "version" | "sha256">,
  text: string,
): Map<string, string> {
  const folder = fullPath(cluster.folder, componentsFolder);
  const resources = ["gotk-components.yaml", "gotk-sync.yaml"];
  const head = `# ${generatedNote}\n# Flux ${version}, as released: sha256 ${sha256}\n`;
  const body = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n*$/, "\n");
  return new Map([
    [`${folder}/gotk-components.yaml`, `${head}${body}`],
    [
      `${folder}/gotk-sync.yaml`,
      toYamlDocuments([...renderSync(cluster, repository), itself(cluster, folder)], generatedNote),
    ],
    [`${folder}/kustomization.yaml`, toYaml({ ...kustomizeConfig, resources }, generatedNote)],
  ]);
}

/** Flux, applied by itself: a commit upgrades it. */
function itself({ config, bootstrap }: Cluster, folder: string): YamlMap {
  const { interval, retryInterval, timeout } = bootstrap;
  return {
    ...kustomizationApi,
    metadata: { name: "flux-system", namespace: fluxNamespace },
    spec: {
      sourceRef: { kind: "GitRepository", name: config },
      prune: true,
      ...{ interval, retryInterval },
      path: `./${folder}`,
      timeout,
    },
  };
}
