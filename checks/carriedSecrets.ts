import type { Cluster } from "../fleet/model.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { sealedPath, sealedSecrets } from "../flux/secrets/folder.ts";
import { fullPath } from "../values/path.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/**
 * Encrypted files that stay as they are in the repository, by path from the root: who has no values, as the commands, cannot
 * make them, and takes none away.
 */
export async function carriedSecrets(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader | undefined,
): Promise<Readonly<Record<string, string>>> {
  const paths = sealedSecrets(cluster)
    .map(({ key }) => sealedPath(cluster, key))
    .filter((path) => !files.has(path));
  if (reader === undefined || paths.length === 0) return {};
  const there = await reader.list(fullPath(cluster.folder, secretsName));
  const names = new Set(there?.map(({ name }) => name));
  const texts = await Promise.all(
    paths
      .filter((path) => names.has(path.slice(path.lastIndexOf("/") + 1)))
      .map(async (path) => [path, (await reader.read(path)) ?? ""] as const),
  );
  return Object.fromEntries(texts);
}
