import { type Inventory, inventoryName, parseInventory } from "../git/index.ts";
import { fullPath } from "../values/path.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** The inventory of a folder; undefined without one that can be read. */
export async function readInventory(
  folder: string,
  reader: RepositoryReader,
): Promise<Inventory | undefined> {
  const entries = await reader.list(folder);
  if (entries?.some(({ name, kind }) => name === inventoryName && kind === "file") !== true) return undefined;
  const parsed = parseInventory((await reader.read(fullPath(folder, inventoryName))) ?? "");
  return "fault" in parsed ? undefined : parsed;
}

/** Whose a flux folder is, by its inventory: `edge/prod` and `store-7`; undefined where there is none. */
export async function ownerOfFolder(
  folder: string,
  reader: RepositoryReader,
): Promise<{ readonly stack: string; readonly cluster: string } | undefined> {
  const inventory = await readInventory(folder, reader);
  const [, stack, cluster] = /^([^/]+\/[^/]+)\/(.+)$/s.exec(inventory?.owner ?? "") ?? [];
  return stack === undefined || cluster === undefined ? undefined : { stack, cluster };
}
