import { toBytes } from "../words/bytes.ts";
import { kindOf } from "./tree.ts";
import type { Entry } from "./tree.ts";
import type { ObjectId } from "../words/types.ts";

/** A path that something other than a folder stands in the way of. */
export interface Blocked {
  /** From the root of the repository. */
  readonly blockedBy: string;
  readonly entry: Entry;
}

/** The folders on the way to some paths, and what is at the paths. */
export interface Snapshot {
  readonly root: ObjectId;
  /** Folder, from the root and in bytes, to its entries. */
  readonly folders: ReadonlyMap<string, readonly Entry[]>;
  /** Path, from the root and as text; a path that is not there is absent. */
  readonly at: ReadonlyMap<string, Entry | Blocked>;
}

/** Reads trees by id. Rejects rather than leave one out. */
export type LoadTrees = (ids: readonly ObjectId[]) => Promise<ReadonlyMap<ObjectId, readonly Entry[]>>;

interface Step {
  readonly folder: string;
  readonly id: ObjectId;
  /** Path as text, and the names still ahead. */
  readonly paths: readonly { readonly path: string; readonly rest: readonly string[] }[];
}

/** Walks from the root to every path, one `load` for all folders of a level. */
export async function locate(root: ObjectId, paths: readonly string[], load: LoadTrees): Promise<Snapshot> {
  const folders = new Map<string, readonly Entry[]>();
  const at = new Map<string, Entry | Blocked>();
  let level: Step[] = [
    { folder: "", id: root, paths: paths.map((path) => ({ path, rest: toBytes(path).split("/") })) },
  ];
  while (level.length > 0) {
    const trees = await load([...new Set(level.map((step) => step.id))]);
    const next: Step[] = [];
    for (const { folder, id, paths } of level) {
      const entries = trees.get(id);
      if (entries === undefined) throw new Error(`tree ${id} was not loaded`);
      folders.set(folder, entries);
      const byName = new Map(entries.map((entry) => [entry.name, entry]));
      for (const [name, group] of Map.groupBy(paths, ({ rest }) => rest[0] ?? "")) {
        const entry = byName.get(name);
        if (entry === undefined) continue;
        const here = folder === "" ? name : `${folder}/${name}`;
        const further = group.filter(({ rest }) => rest.length > 1);
        for (const { path, rest } of group) if (rest.length === 1) at.set(path, entry);
        if (further.length === 0) continue;
        if (kindOf(entry) === "folder") {
          const ahead = further.map(({ path, rest }) => ({ path, rest: rest.slice(1) }));
          next.push({ folder: here, id: entry.id, paths: ahead });
        } else for (const { path } of further) at.set(path, { blockedBy: here, entry });
      }
    }
    level = next;
  }
  return { root, folders, at };
}
