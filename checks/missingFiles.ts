import type { Cluster } from "../fleet/model.ts";
import { folderOf, nameOf } from "../values/path.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";

/** Of the files that belong to a cluster, those that a branch does not have as they are wanted; from the root, sorted. */
export async function missingFiles(
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<readonly string[]> {
  const missing = await Promise.all(
    [...files].map(async ([path, text]) => {
      const entry = (await reader.list(folderOf(path)))?.find(({ name }) => name === nameOf(path));
      return entry !== undefined && hasBytes(entry, text) ? [] : [path];
    }),
  );
  return missing.flat().sort();
}

/** What each cluster that follows another branch than the one committed to lacks there; one that nobody could look at is absent. */
export async function filesToPromote(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  branch: string,
  followed: ReadonlyMap<string, RepositoryReader>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(
    [...rendered].map(async ([{ name, follows }, files]) => {
      const reader = follows === branch ? undefined : followed.get(follows);
      return reader === undefined ? [] : [[name, await missingFiles(files, reader)] as const];
    }),
  );
  return new Map(found.flat());
}
