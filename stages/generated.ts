import { readInventory } from "../checks/readInventory.ts";
import { repositoryReader } from "../checks/repositoryReader.ts";
import type { Cluster } from "../fleet/model.ts";
import {
  type Branches,
  formatInventory,
  highestSerial,
  inventoryName,
  type Leaf,
  type TreeChange,
  type TreeReader,
} from "../git/index.ts";
import { fullPath, nameOf } from "../values/path.ts";

/** A branch as it is, and as it was. */
export interface Readers {
  readonly from: TreeReader;
  readonly to: TreeReader;
}

/** What updates wrote for some clusters, before or after: all that the inventories list, and these themselves. */
export async function generatedPaths(
  clusters: readonly Cluster[],
  { from, to }: Readers,
): Promise<ReadonlySet<string>> {
  const readers = [from, to].map(repositoryReader);
  const found = await Promise.all(
    clusters.flatMap(({ fluxFolder }) =>
      readers.map(async (reader) => [
        fullPath(fluxFolder, inventoryName),
        ...((await readInventory(fluxFolder, reader))?.files.keys() ?? []),
      ]),
    ),
  );
  return new Set(found.flat());
}

/**
 * The inventories of clusters of which generated files go back while others stay: they tell of the earlier blobs by a new,
 * higher serial, and of what was taken back.
 */
export async function inventoriesFor(
  clusters: readonly Cluster[],
  changes: readonly TreeChange[],
  { from, to }: Readers,
  repository: Pick<Branches, "store">,
): Promise<ReadonlyMap<string, Leaf>> {
  const going = new Map(changes.map((change) => [change.path, change]));
  const [now, then] = [repositoryReader(from), repositoryReader(to)];
  const texts = new Map<string, string>();
  await Promise.all(
    clusters.map(async ({ fluxFolder }) => {
      const path = fullPath(fluxFolder, inventoryName);
      const [own, old] = await Promise.all([readInventory(fluxFolder, now), readInventory(fluxFolder, then)]);
      // One that goes back as a whole is right as it was.
      if (own === undefined || going.has(path)) return;
      const serial = highestSerial(own) + 1;
      const files = new Map(own.files);
      for (const [file, { from: taken }] of going) {
        const entry = old?.files.get(file);
        if (!files.has(file) && entry === undefined) continue;
        if (entry === undefined) files.delete(file);
        else files.set(file, { ...entry, serial, rolledBack: taken?.id });
      }
      const text = formatInventory({ ...own, files });
      if (text !== formatInventory(own)) texts.set(path, text);
    }),
  );
  return repository.store(texts);
}

/** Whether a path is an inventory. */
export function isInventory(path: string): boolean {
  return nameOf(path) === inventoryName;
}
