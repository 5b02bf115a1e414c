import type { Path } from "../fleet/finding.ts";
import type { Cluster } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { kubernetesObjects, type KubernetesObject } from "./kubernetesObject.ts";

/**
 * What it means that an update would stop at a cluster for what is in the repository:
 *
 * - `error`: it has to go, for whoever knows neither a stack's state nor its decisions
 * - `warning`: GitFiles stops the update of that cluster, and of no other
 */
export type Others = "error" | "warning";

/** What an update would write for a cluster. */
export class GeneratedFiles {
  readonly cluster: Cluster;
  /** Path from the root of the repository to content. */
  readonly files: ReadonlyMap<string, string>;

  constructor(cluster: Cluster, files: Readonly<Record<string, string>>) {
    this.cluster = cluster;
    this.files = new Map(
      Object.entries(files).map(([path, text]) => [
        cluster.folder === "" ? path : `${cluster.folder}/${path}`,
        text,
      ]),
    );
  }

  /** Paths of the manifests that lie in the flux folder. */
  get manifests(): string[] {
    const { fluxFolder } = this.cluster;
    const own = fluxFolder === "" ? "" : `${fluxFolder}/`;
    return [...this.files.keys()].filter((path) => {
      const name = path.slice(own.length);
      return path.startsWith(own) && /^[^/]+\.yaml$/.test(name) && name !== "kustomization.yaml";
    });
  }

  /** The objects of the flux folder, and the two that Azure makes beside it. */
  objects(): KubernetesObject[] {
    const { config } = this.cluster;
    const byAzure = { file: "", namespace: "flux-system", metadata: {}, spec: {} };
    return [
      ...this.manifests.flatMap((path) => kubernetesObjects(this.files.get(path) ?? "", path) ?? []),
      {
        ...byAzure,
        group: "kustomize.toolkit.fluxcd.io",
        kind: "Kustomization",
        name: `${config}-bootstrap`,
      },
      { ...byAzure, group: "source.toolkit.fluxcd.io", kind: "GitRepository", name: config },
    ];
  }

  /** Where in the fleet file a generated file comes from. */
  origin(path: string): Path {
    const { name, fluxFolder, sets } = this.cluster;
    const file = path.slice(fluxFolder === "" ? 0 : fluxFolder.length + 1).replace(/\.yaml$/, "");
    if (sets.some((set) => set.name === file)) return ["clusters", name, "sets", file];
    const [, kind, key] = /^(source|window|alert|tenant)-(.*)$/.exec(file) ?? [];
    return kind === undefined ? ["clusters", name] : [`${kind}s`, key!];
  }
}

/** Whether a file was generated, by whatever version. */
export function isOurs(text: string): boolean {
  return text.startsWith(`# ${generatedNote}`);
}
