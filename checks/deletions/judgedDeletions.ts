import type { Cluster } from "../../fleet/model.ts";
import { folderOf, nameOf } from "../../values/path.ts";
import { readInventory } from "../readInventory.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/** By cluster, the files that its update may delete: path from the root to the blob that was looked at. */
export type JudgedDeletions = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * What the inventories list, in the folders that clusters follow and in those that are released, and that no update would
 * write. The write deletes exactly these, and stops where the tip that it pushes to holds another blob.
 */
export async function judgedDeletions(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
  released: ReadonlyMap<string, readonly string[]>,
): Promise<JudgedDeletions> {
  const judged = await Promise.all(
    [...rendered].map(async ([{ name, fluxFolder }, files]) => {
      const folders = [fluxFolder, ...(released.get(name) ?? [])];
      const inventories = await Promise.all(folders.map((folder) => readInventory(folder, reader)));
      const listed = inventories.flatMap((inventory) => [...(inventory?.files.keys() ?? [])]);
      const going = listed.filter((path) => !files.has(path));
      const found = await Promise.all(
        going.map(async (path) => {
          const entry = (await reader.list(folderOf(path)))?.find((one) => one.name === nameOf(path));
          return entry?.id === undefined ? [] : [[path, entry.id] as const];
        }),
      );
      return [name, Object.fromEntries(found.flat())] as const;
    }),
  );
  return new Map(judged);
}
