import { isDeepStrictEqual } from "node:util";
import type { Path } from "../fleet/finding.ts";
import type { Cluster } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { objectId } from "../git/tree.ts";
import { documents } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { kubernetesObjects, type KubernetesObject } from "./kubernetesObject.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

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
    const [, kind, key] = /^(source|window|alert)-(.*)$/.exec(file) ?? [];
    return kind === undefined ? ["clusters", name] : [`${kind}s`, key!];
  }

  /** Errors for files of others that stand where an update would write something else. */
  async checkInTheWay(reader: RepositoryReader): Promise<Fault[]> {
    const faults = await Promise.all(
      [...this.files].map(async ([path, text]): Promise<Fault[]> => {
        const slash = path.lastIndexOf("/");
        const entry = (await reader.list(path.slice(0, slash)))?.find(
          ({ name }) => name === path.slice(slash + 1),
        );
        if (entry === undefined || (entry.id !== undefined && entry.id === blobId(text, entry.id))) return [];
        const there = entry.kind === "file" ? await reader.read(path) : undefined;
        if (there !== undefined && (isOurs(there) || sameMeaning(there, text))) return [];
        const what = entry.kind === "file" ? "a file that was not generated" : `a ${entry.kind}`;
        const message = `${path} is ${what}, and this would be written there; move it away, or name the set otherwise`;
        return [{ severity: "error", path: this.origin(path), message }];
      }),
    );
    return faults.flat();
  }
}

/** Whether a file was generated, by whatever version. */
export function isOurs(text: string): boolean {
  return text.startsWith(`# ${generatedNote}`);
}

function sameMeaning(a: string, b: string): boolean {
  const [one, other] = [documents(a), documents(b)];
  return one !== undefined && isDeepStrictEqual(one, other);
}

function blobId(text: string, like: string): string {
  return objectId("blob", Buffer.from(text), like.length);
}
