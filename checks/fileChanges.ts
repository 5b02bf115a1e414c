import type { Cluster } from "../fleet/model.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import { folderOf, fullPath, nameOf, pathBelow } from "../values/path.ts";
import { printable, showKinds } from "../values/show.ts";
import { isOurs } from "./generatedFiles.ts";
import { hasBytes } from "./sameBytes.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { setFolders } from "./setFolders.ts";

/** What an update would change in Git: generated files that come, change and go. */
export async function fileChanges(
  wanted: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
): Promise<FileChange[]> {
  const changes = await Promise.all(
    [...wanted].map(async ([cluster, files]) => {
      const [comes, goes] = await Promise.all([written(files, reader), leaving(cluster, files, reader)]);
      return [...comes, ...goes.map(gone)].map((change) => ({ cluster, ...change }));
    }),
  );
  return changes.flat();
}

/** The changes without files that stay in Git for now; `kept` has those by cluster. */
export function withoutKept(
  changes: readonly FileChange[],
  kept: ReadonlyMap<string, Readonly<Record<string, string>>>,
): FileChange[] {
  return changes.filter(
    ({ cluster, sign, path }) => sign !== "-" || !Object.hasOwn(kept.get(cluster.name) ?? {}, path),
  );
}

/**
 * The changes, a line for each kind however many clusters have it: `39 clusters: + flux/monitoring.yaml`,
 * `store-007: ~ flux/pos.yaml`.
 */
export function changeLines(changes: readonly FileChange[]): string[] {
  const clusters = new Map<string, string[]>();
  for (const { cluster, sign, path } of changes) {
    const change = `${sign} ${pathBelow(cluster.folder, path)}`;
    const known = clusters.get(change);
    if (known) known.push(cluster.name);
    else clusters.set(change, [cluster.name]);
  }
  const lines = [...clusters].map(
    ([change, names]) =>
      `${names.length === 1 ? names[0] : `${names.length} clusters`}: ${printable(change)}`,
  );
  return showKinds(lines);
}

/** One file of a cluster; the path is from the root of the repository. */
export interface FileChange extends Change {
  readonly cluster: Cluster;
}

interface Change {
  readonly sign: "+" | "~" | "-";
  readonly path: string;
}

async function written(files: ReadonlyMap<string, string>, reader: RepositoryReader): Promise<Change[]> {
  const found = await Promise.all(
    [...files].map(async ([path, text]): Promise<Change[]> => {
      // Listed first, as the other checks do: what many ask for at once is one fetch.
      const entries = (await reader.list(folderOf(path))) ?? [];
      const entry = entries.find(({ name }) => name === nameOf(path));
      if (entry === undefined) return [{ sign: "+", path }];
      if (hasBytes(entry, text)) return [];
      const there = await reader.read(path);
      // What means the same is taken over as it is.
      const same = there === text || (there !== undefined && compareMeaning(path, there, text).same);
      return same ? [] : [{ sign: "~", path }];
    }),
  );
  return found.flat();
}

/** Generated files of the flux folder and of those of windows that the fleet file has no more. */
async function leaving(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<string[]> {
  const paths = (await setFolders(cluster, reader))
    .flatMap(({ path, entries }) => entries.map(({ name }) => fullPath(path, name)))
    .filter((path) => path.endsWith(".yaml") && !files.has(path));
  const texts = await Promise.all(paths.map((path) => reader.read(path)));
  return paths.filter((_, index) => isOurs(texts[index] ?? ""));
}

function gone(path: string): Change {
  return { sign: "-", path };
}
