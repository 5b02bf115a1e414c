import type { Cluster, Fleet } from "../../fleet/model.ts";
import { type Removal, writeRemoval } from "../../fleet/removal.ts";
import { secretsName } from "../../fleet/resolveSecrets.ts";
import { fullPath } from "../../values/path.ts";
import type { Fault } from "../fault.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/**
 * Entries of `removed` whose work is done: no branch that a cluster follows has what they name. Left there, one would
 * confirm the deletion of something that gets the name later.
 */
export async function staleRemovals(
  { removed, clusters }: Pick<Fleet, "removed" | "clusters">,
  readers: ReadonlyMap<string, RepositoryReader>,
  used: ReadonlySet<number>,
): Promise<Fault[]> {
  const faults = await Promise.all(
    removed.map(async (removal, index): Promise<Fault[]> => {
      if (used.has(index)) return [];
      if (await isThere(removal, clusters, readers)) return [];
      const message = `${writeRemoval(removal)} is gone everywhere: take the entry out, or it stands for a later ${removal.kind} of that name`;
      return [{ severity: "warning", path: ["removed", index], message }];
    }),
  );
  return faults.flat();
}

/** Whether a followed branch still has it, though nothing that it applied would be deleted with it. */
async function isThere(
  removal: Removal,
  clusters: readonly Cluster[],
  readers: ReadonlyMap<string, RepositoryReader>,
): Promise<boolean> {
  const { kind, name } = removal;
  if (kind === "folder") {
    const lists = await Promise.all([...readers.values()].map((reader) => reader.list(name)));
    return lists.some((entries) => entries !== undefined);
  }
  if (kind === "app" || kind === "cluster" || ("from" in removal && removal.from !== undefined)) return false;
  const file = kind === "set" || kind === "secret" ? `${name}.yaml` : `${kind}-${name}.yaml`;
  const found = await Promise.all(
    clusters
      .filter((cluster) => removal.cluster === undefined || removal.cluster === cluster.name)
      .map(async ({ folder, fluxFolder, follows }) => {
        const place = kind === "secret" ? fullPath(folder, secretsName) : fluxFolder;
        const entries = await readers.get(follows)?.list(place);
        return entries?.some((entry) => entry.name === file) === true;
      }),
  );
  return found.includes(true);
}
