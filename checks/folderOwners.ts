import type { Cluster, Fleet } from "../fleet/model.ts";
import { inventoryName, type Inventory, ownershipOf } from "../git/index.ts";
import { fullPath } from "../values/path.ts";
import { printable } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader, RepositoryReaders } from "./repositoryReader.ts";

/** Who will write: a check without a stack takes a folder for its own where the inventory names the cluster. */
export interface Writer {
  /** Project and stack, such as `edge/prod`. */
  readonly stack?: string;
  /** Project and stack whose folders are taken over. */
  readonly takeFrom?: string;
  /** By cluster, where its inventory lay, whom it named and the serial of the last write, as the saved state has it. */
  readonly saved?: ReadonlyMap<string, Saved>;
}

interface Saved {
  readonly folder: string;
  readonly owner: string;
  readonly serial: number;
  /** Of the last write. */
  readonly commit?: string;
}

/** What the saved state knows of a cluster, under the name it had then. */
export function savedOf({ name, formerly }: Cluster, { saved }: Writer): Saved | undefined {
  return saved?.get(name) ?? (formerly === undefined ? undefined : saved?.get(formerly));
}

/** The folder that a cluster applies, from the root, as Azure or the cluster says; undefined where neither does. */
export type FollowedFolder = (cluster: Cluster) => Promise<string | undefined>;

/** Whose the folders are, and which of those that clusters have left the fleet file releases. */
export interface FolderOwners {
  readonly faults: readonly Fault[];
  /** By cluster, the folders from the root whose files may go. */
  readonly released: ReadonlyMap<string, readonly string[]>;
  /** Clusters whose flux folder is not yet on the branch that they follow, since a merge brings it there. */
  readonly waiting: ReadonlySet<string>;
}

/** Looks at the inventories of the branch that is committed to: in the flux folders, and in folders that `removed` names. */
export async function checkFolderOwners(
  fleet: Fleet,
  { committed, followed }: RepositoryReaders,
  writer: Writer = {},
  folderOf: FollowedFolder = () => Promise.resolve(undefined),
): Promise<FolderOwners> {
  const released = new Map<string, string[]>();
  if (committed === undefined) return { faults: [], released, waiting: new Set() };
  const collisions = await Promise.all(
    fleet.clusters.map((cluster) => collision(cluster, committed, writer)),
  );
  const releases = await Promise.all(
    fleet.removed.map(async (entry, index): Promise<Fault[]> => {
      if (entry.kind !== "folder") return [];
      const folders = await inventoriesBelow(entry.name, committed);
      const faults = await Promise.all(
        folders.map(async (folder): Promise<Fault[]> => {
          const inventory = await readInventory(folder, committed);
          const cluster = fleet.clusters.find((one) => inventory && isOf(one, inventory, writer));
          if (cluster === undefined) return [];
          const reader = followed.get(cluster.follows);
          if (cluster.fluxFolder === folder) {
            const message = `${cluster.name} has its files in ${folder}, so it cannot be removed; take the entry out`;
            return [{ severity: "error", path: ["removed", index], message }];
          }
          const stays =
            (await notPromoted(cluster, folder, reader)) ?? notYet(cluster, folder, await folderOf(cluster));
          if (stays !== undefined) return [{ severity: "warning", path: ["removed", index], message: stays }];
          released.set(cluster.name, [...(released.get(cluster.name) ?? []), folder]);
          return [];
        }),
      );
      return faults.flat();
    }),
  );
  const { branch, mode } = fleet.repository;
  const byMerge = fleet.clusters.filter(({ follows }) => follows !== branch || mode === "pullRequest");
  const arrived = await Promise.all(
    byMerge.map((cluster) => hasArrived(cluster, followed.get(cluster.follows), writer)),
  );
  const waiting = new Set(byMerge.filter((_, index) => arrived[index] !== true).map(({ name }) => name));
  return { faults: [...collisions.flat(), ...releases.flat()], released, waiting };
}

async function collision(cluster: Cluster, reader: RepositoryReader, writer: Writer): Promise<Fault[]> {
  const { name, fluxFolder } = cluster;
  const inventory = await readInventory(fluxFolder, reader);
  if (inventory === undefined || isOf(cluster, inventory, writer)) return [];
  const message =
    `cannot use ${fluxFolder}: it belongs to ${printable(inventory.owner)}. For the same cluster under a new name write ` +
    `\`formerly: <old name>\`; from another stack set arcflux:takeFrom; else give it another folder (two that swap go by a third)`;
  return [{ severity: "error", path: ["clusters", name], message }];
}

/** Whether the branch that a cluster follows has its folder. */
async function hasArrived(
  cluster: Cluster,
  reader: RepositoryReader | undefined,
  writer: Writer,
): Promise<boolean> {
  const inventory = reader && (await readInventory(cluster.fluxFolder, reader));
  return inventory !== undefined && isOf(cluster, inventory, writer);
}

/** Whether an inventory is of a cluster, by whoever may write it. */
export function isOf(cluster: Cluster, inventory: Inventory, writer: Writer): boolean {
  const { name, formerly } = cluster;
  const { stack = "*/*", takeFrom } = writer;
  const state = savedOf(cluster, writer);
  return ownershipOf({ owner: `${stack}/${name}`, formerly, takeFrom, state }, inventory) !== "others";
}

/** Why a folder stays for now: the branch that the cluster follows has no other for it. */
async function notPromoted(
  { name, fluxFolder, follows, stage }: Cluster,
  folder: string,
  reader: RepositoryReader | undefined,
): Promise<string | undefined> {
  const arrived = reader && (await readInventory(fluxFolder, reader));
  if (arrived !== undefined) return undefined;
  const next = stage === undefined ? `Merge it into ${follows}` : `Run \`arcflux promote ${stage}\``;
  return `${folder} stays: ${name} follows branch ${follows}, where ${fluxFolder} is not yet. ${next}, wait until the cluster follows it, and run again`;
}

/** Why a folder stays for now, though Git says that it may go: a cluster that still applies it would delete everything. */
function notYet({ name, fluxFolder }: Cluster, folder: string, now: string | undefined): string | undefined {
  if (now === fluxFolder) return undefined;
  const why =
    now === undefined
      ? `neither Azure nor the cluster says which folder ${name} follows`
      : `${name} follows ${now === "" ? "the root" : printable(now)}, not ${fluxFolder} yet`;
  return `${folder} stays: ${why}. Run again once \`arcflux status --cluster ${name}\` calls it ready`;
}

/** The folders at and below a folder that hold an inventory. */
export async function inventoriesBelow(folder: string, reader: RepositoryReader): Promise<string[]> {
  const entries = (await reader.list(folder)) ?? [];
  const here = entries.some(({ name }) => name === inventoryName) ? [folder] : [];
  const inner = entries.filter(({ kind }) => kind === "folder").map(({ name }) => fullPath(folder, name));
  return [...here, ...(await Promise.all(inner.map((one) => inventoriesBelow(one, reader)))).flat()];
}
