import type { Fleet } from "../../fleet/model.ts";
import { writeRemoval } from "../../fleet/removal.ts";
import type { Fault } from "../fault.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/**
 * Entries of `removed` whose work is done: no branch that a cluster follows has what they name. Left there, one would
 * confirm the deletion of something that gets the name later.
 */
export async function staleRemovals(
  { removed }: Pick<Fleet, "removed">,
  readers: ReadonlyMap<string, RepositoryReader>,
  used: ReadonlySet<number>,
): Promise<Fault[]> {
  const faults = await Promise.all(
    removed.map(async (removal, index): Promise<Fault[]> => {
      if (used.has(index)) return [];
      if (removal.kind === "folder" && (await isThere(removal.name, readers))) return [];
      const message = `${writeRemoval(removal)} is gone everywhere: take the entry out, or it stands for a later ${removal.kind} of that name`;
      return [{ severity: "warning", path: ["removed", index], message }];
    }),
  );
  return faults.flat();
}

async function isThere(folder: string, readers: ReadonlyMap<string, RepositoryReader>): Promise<boolean> {
  const lists = await Promise.all([...readers.values()].map((reader) => reader.list(folder)));
  return lists.some((entries) => entries !== undefined);
}
