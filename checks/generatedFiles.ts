import type { Path } from "../fleet/finding.ts";
import type { Cluster } from "../fleet/model.ts";
import { generatedNote } from "../flux/folder.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import { folderOf, nameOf } from "../values/path.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { kubernetesObjects, type KubernetesObject } from "./kubernetesObject.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";

/**
 * What a file that was not generated means where an update would write another:
 *
 * - `error`: it has to go, for whoever knows neither a stack's state nor its decisions
 * - `warning`: unless the state says that the stack wrote it, GitFiles stops the update of that cluster, and of no other
 * - `overwritten`: stack config has decided that it is written over
 */
export type Others = "error" | "warning" | "overwritten";

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

  /**
   * Faults for what others have where an update would write something else. What means the same is taken over, as by
   * GitFiles; what is no file is an error in any case, since nothing is written over that.
   */
  async checkInTheWay(reader: RepositoryReader, others: Others = "error"): Promise<Fault[]> {
    const faults = await Promise.all(
      [...this.files].map(async ([path, text]): Promise<Fault[]> => {
        const beside = await reader.list(folderOf(path));
        const entry = beside?.find(({ name }) => name === nameOf(path));
        if (entry === undefined || hasBytes(entry, text)) return [];
        const fault = (severity: Fault["severity"], message: string): Fault[] => [
          { severity, path: this.origin(path), message: `${path} ${message}` },
        ];
        const error = (what: string): Fault[] =>
          fault(
            "error",
            `is ${what}, and this would be written there; move it away, or name the set otherwise`,
          );
        if (entry.kind !== "file") return error(`a ${entry.kind}`);
        const there = (await reader.read(path)) ?? "";
        if (isOurs(there)) return [];
        const { same, foreign } = compareMeaning(path, there, text);
        if (same) return [];
        if (others === "error") return error("a file that was not generated");
        if (foreign.length > 0) return fault("warning", this.#holdsOthers(foreign));
        return others === "overwritten" ? [] : fault("warning", this.#notGenerated());
      }),
    );
    return faults.flat();
  }

  #notGenerated(): string {
    return (
      `is a file that was not generated, so ${this.#stops()}; move it away, name the set otherwise, or decide by stack ` +
      `config: arcflux:adopt overwrite writes over what others wrote, arcflux:drift restore over a change of what ` +
      `this stack wrote`
    );
  }

  #holdsOthers(names: readonly string[]): string {
    return (
      `holds objects that are not of this stack (${printable(showNames(names))}), so ${this.#stops()}, whatever stack config ` +
      `says; move them to a file of their own`
    );
  }

  #stops(): string {
    return (
      `the update of ${this.cluster.name} will stop (others go on with --continue-on-error), unless this stack wrote ` +
      `it, which only its state knows, and has no change for that cluster`
    );
  }
}

/** Whether a file was generated, by whatever version. */
export function isOurs(text: string): boolean {
  return text.startsWith(`# ${generatedNote}`);
}
