import { toText } from "../words/bytes.ts";
import type { ObjectId } from "../words/types.ts";
import type { LoadTrees } from "./locate.ts";
import { type Entry, kindOf } from "./tree.ts";

/** What is at a path: a file, a symlink or a submodule. */
export interface Leaf {
  /** As git stores it, such as `100644`. */
  readonly mode: string;
  readonly id: ObjectId;
}

/** A path at which two trees differ. */
export interface TreeChange {
  /** From the root of the repository. */
  readonly path: string;
  /** Absent where the first tree has nothing there. */
  readonly from?: Leaf;
  readonly to?: Leaf;
}

interface Pair {
  readonly folder: string;
  readonly from: ObjectId | undefined;
  readonly to: ObjectId | undefined;
}

/** Where two trees differ, sorted by path. Only folders that differ are read, one `load` for all of a level. */
export async function treeChanges(from: ObjectId, to: ObjectId, load: LoadTrees): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  let level: Pair[] = from === to ? [] : [{ folder: "", from, to }];
  while (level.length > 0) {
    const trees = await load([...new Set(level.flatMap((pair) => [pair.from ?? [], pair.to ?? []].flat()))]);
    const next: Pair[] = [];
    for (const { folder, from: old, to: fresh } of level) {
      const [before, after] = [entriesOf(old, trees), entriesOf(fresh, trees)];
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const [one, other] = [before.get(name), after.get(name)];
        if (one?.id === other?.id && one?.mode === other?.mode) continue;
        const path = folder === "" ? name : `${folder}/${name}`;
        const folders = { from: folderOf(one), to: folderOf(other) };
        if (folders.from !== undefined || folders.to !== undefined) next.push({ folder: path, ...folders });
        const [left, right] = [leafOf(one), leafOf(other)];
        if (left !== undefined || right !== undefined)
          changes.push({ path: toText(path), ...(left && { from: left }), ...(right && { to: right }) });
      }
    }
    level = next;
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function entriesOf(
  id: ObjectId | undefined,
  trees: ReadonlyMap<ObjectId, readonly Entry[]>,
): ReadonlyMap<string, Entry> {
  return new Map((id === undefined ? [] : (trees.get(id) ?? [])).map((entry) => [entry.name, entry]));
}

function folderOf(entry: Entry | undefined): ObjectId | undefined {
  return entry !== undefined && kindOf(entry) === "folder" ? entry.id : undefined;
}

function leafOf(entry: Entry | undefined): Leaf | undefined {
  return entry === undefined || kindOf(entry) === "folder" ? undefined : { mode: entry.mode, id: entry.id };
}
