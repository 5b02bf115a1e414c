import type { Cluster } from "../fleet/model.ts";
import { inventoryName } from "../git/index.ts";
import { fullPath } from "../values/path.ts";
import { isOurs } from "./generatedFiles.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** A file or a symbolic link that others wrote for a cluster. */
export interface OwnFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly isLink: boolean;
}

/** What lies in the folder of a cluster that an update does not write, but in folders of others. */
export async function ownFiles(
  { folder, fluxFolder }: Pick<Cluster, "folder" | "fluxFolder">,
  others: readonly Pick<Cluster, "folder">[],
  reader: RepositoryReader,
): Promise<OwnFile[]> {
  // The whole repository is nobody's own.
  if (folder === "") return [];
  const generated = new Set((await readInventory(fluxFolder, reader))?.files.keys());
  generated.add(fullPath(fluxFolder, inventoryName));
  const all = await below(folder, new Set(others.map((other) => other.folder)), reader);
  const own = await Promise.all(
    all.map(async (file) => {
      if (generated.has(file.path)) return [];
      return !file.isLink && isOurs((await reader.read(file.path)) ?? "") ? [] : [file];
    }),
  );
  return own.flat().sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function below(
  folder: string,
  foreign: ReadonlySet<string>,
  reader: RepositoryReader,
): Promise<OwnFile[]> {
  const entries = (await reader.list(folder)) ?? [];
  const found = await Promise.all(
    entries.map(async ({ name, kind }): Promise<OwnFile[]> => {
      const path = fullPath(folder, name);
      if (kind === "folder") return foreign.has(path) ? [] : below(path, foreign, reader);
      return kind === "file" || kind === "symlink" ? [{ path, isLink: kind === "symlink" }] : [];
    }),
  );
  return found.flat();
}
