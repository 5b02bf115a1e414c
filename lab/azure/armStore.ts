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

  /** The connected clusters, of one resource group or of all, in the order of their names. */
  clusters(resourceGroup?: string): Json[] {
    const groups = resourceGroup === undefined ? listFolders(this.#root) : [resourceGroup.toLowerCase()];
    return groups.flatMap((group) => {
      const folder = path.join(this.#root, group);
      return listFolders(folder).flatMap((cluster) => {
        const value = readJson(path.join(folder, cluster, "cluster.json"));
        return value === undefined ? [] : [asObject(value)];
      });
    });
  }

  /** The resource groups that were made. */
  groups(): Json[] {
    return listFolders(this.#root).flatMap((group) => {
      const value = readJson(path.join(this.#root, group, "resourceGroup.json"));
      return value === undefined ? [] : [asObject(value)];
    });
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

function listJson(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => name)
    .sort();
}

function listFolders(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
