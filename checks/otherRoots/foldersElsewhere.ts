import type { Cluster } from "../../fleet/model.ts";
import { folderOf, fullPath } from "../../values/path.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { bootstrapFolder } from "./readRoots.ts";

/** `clusters/prod/edge-1` has two folders above. */
const levels = 3;

/** What `flux bootstrap` writes, in whatever namespace. */
const syncFile = "gotk-sync.yaml";

/**
 * Folders outside those of the fleet file: `named` bear the name of a cluster, such as `clusters/edge-1` beside
 * `fleet/edge-1`; `homes` are those in which `flux bootstrap` has been for somebody else.
 */
export async function foldersElsewhere(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<{
  readonly named: ReadonlyMap<Cluster, readonly string[]>;
  readonly homes: ReadonlySet<string>;
}> {
  const byName = new Map(
    clusters.flatMap((cluster) =>
      [cluster.formerly, cluster.arc?.name, cluster.name].map((name) => [name, cluster]),
    ),
  );
  const own = new Set(clusters.map(({ folder }) => folder));
  const named = new Map<Cluster, string[]>();
  const homes = new Set<string>();
  let level = [""];
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const lists = await Promise.all(level.map((folder) => reader.list(folder)));
    const next: string[] = [];
    for (const [index, entries = []] of lists.entries())
      for (const { name, kind } of entries) {
        const folder = level[index]!;
        const path = fullPath(folder, name);
        if (kind === "file" && name === syncFile) homes.add(folderOf(folder));
        if (kind !== "folder" || own.has(path)) continue;
        if (name === bootstrapFolder) homes.add(folder);
        const cluster = byName.get(name);
        if (cluster === undefined) next.push(path);
        else named.set(cluster, [...(named.get(cluster) ?? []), path]);
      }
    level = next;
  }
  return { named, homes };
}
