import type { Dirent } from "node:fs";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { readJson, writeJsonAtomic } from "../atomicFile.ts";
import type { ArmId } from "./armId.ts";
import { armTypes } from "./armId.ts";
import type { Json } from "./json.ts";
import { asObject } from "./json.ts";

/**
 * The resources as files, one each, at a path one can guess:
 * `<group>/resourceGroup.json`, `<group>/<cluster>/cluster.json`,
 * `<group>/<cluster>/extensions/<name>.json`, `<group>/<cluster>/fluxConfigurations/<name>.json`.
 * Names are lower-cased in paths, since Azure takes two that differ only in case for the same.
 */
export class ArmStore {
  readonly #root: string;

  /** `root`: the folder that holds the resource groups, `DIR/azure` in a lab. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Path of the file of a resource. Ids must have passed the name rules: names are parts of the path. */
  file(id: ArmId): string {
    return path.join(this.#folder(id), `${fileName(id)}.json`);
  }

  read(id: ArmId): Json | undefined {
    const value = readJson(this.file(id));
    return value === undefined ? undefined : asObject(value);
  }

  write(id: ArmId, resource: Json): void {
    writeJsonAtomic(this.file(id), resource);
  }

  /** Removes a resource with everything below it. */
  remove(id: ArmId): void {
    const owns = id.type === armTypes.resourceGroup || id.type === armTypes.connectedCluster;
    rmSync(owns ? this.#folder(id) : this.file(id), { recursive: true, force: true });
  }

  /** The extensions or configurations of a cluster, sorted by name. */
  children(cluster: ArmId, type: "extensions" | "fluxConfigurations"): Json[] {
    const folder = path.join(this.#folder(cluster), type);
    return listJson(folder).map((name) => asObject(readJson(path.join(folder, name))));
  }

  /** The resource groups that have a resource of their own or one in them, sorted; lower case where nobody said. */
  groups(): string[] {
    return listFolders(this.#root).map((folder) => {
      const { name } = asObject(readJson(path.join(this.#root, folder, "resourceGroup.json")));
      return typeof name === "string" ? name : folder;
    });
  }

  /** The connected clusters of one group, or of all, sorted by group and name. */
  clusters(resourceGroup?: string): Json[] {
    const groups = resourceGroup === undefined ? listFolders(this.#root) : [resourceGroup.toLowerCase()];
    return groups.flatMap((group) =>
      listFolders(path.join(this.#root, group)).flatMap((cluster) => {
        const stored = readJson(path.join(this.#root, group, cluster, "cluster.json"));
        return stored === undefined ? [] : [asObject(stored)];
      }),
    );
  }

  #folder(id: ArmId): string {
    const group = path.join(this.#root, id.resourceGroup.toLowerCase());
    if (id.type === armTypes.resourceGroup || id.cluster === undefined) return group;
    const cluster = path.join(group, id.cluster.toLowerCase());
    return id.type === armTypes.connectedCluster ? cluster : path.join(cluster, id.type);
  }
}

function fileName(id: ArmId): string {
  if (id.type === armTypes.resourceGroup) return "resourceGroup";
  return id.type === armTypes.connectedCluster ? "cluster" : id.name.toLowerCase();
}

function listFolders(folder: string): string[] {
  return list(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function listJson(folder: string): string[] {
  return list(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".json"));
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
