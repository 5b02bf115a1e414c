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
