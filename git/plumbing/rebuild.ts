import { toBytes } from "../words/bytes.ts";
import type { Snapshot } from "./locate.ts";
import { fileMode, folderMode, formatTree, objectId } from "./tree.ts";
import type { Entry } from "./tree.ts";
import type { Leaf } from "./treeChanges.ts";
import type { ObjectId } from "../words/types.ts";

/** The trees to write for a change. */
export interface Rebuilt {
  readonly root: ObjectId;
  /** The tree objects, those of inner folders first. */
  readonly trees: readonly BuiltTree[];
}

/** One new tree: its id, what is in it, and its bytes. */
export interface BuiltTree {
  readonly id: ObjectId;
  readonly entries: readonly Entry[];
  readonly raw: Buffer;
}

/**
 * Applies changes (path from the root to blob, or to what is there with its mode; null to delete) to a snapshot that holds
 * every folder on their way.
 * Everything else keeps mode and id. A folder left with nothing in it goes away, the root excepted.
 */
export function rebuild(snapshot: Snapshot, changes: ReadonlyMap<string, ObjectId | Leaf | null>): Rebuilt {
  const trees: BuiltTree[] = [];
  const digits = snapshot.root.length;

  const write = (entries: readonly Entry[]): ObjectId => {
    const raw = formatTree(entries);
    const id = objectId("tree", raw, digits);
    trees.push({ id, entries, raw });
    return id;
  };

  const applyTo = (folder: string, below: readonly Change[]): Entry[] => {
    const result = new Map<string, Entry | undefined>();
    for (const [name, group] of Map.groupBy(below, ({ names }) => names[0] ?? "")) {
      const here = folder === "" ? name : `${folder}/${name}`;
      const inner = group.filter(({ names }) => names.length > 1);
      const leaf = group.find(({ names }) => names.length === 1);
      if (inner.length > 0) {
        const deeper = applyTo(
          here,
          inner.map(({ names, blob }) => ({ names: names.slice(1), blob })),
        );
        if (deeper.length > 0) {
          result.set(name, { mode: folderMode, name, id: write(deeper) });
          continue;
        }
        result.set(name, undefined);
      }
      // Also in place of a folder of which nothing is left.
      if (leaf !== undefined) {
        result.set(name, leaf.blob === null ? undefined : { name, ...leafOf(leaf.blob) });
      }
    }
    const others = (snapshot.folders.get(folder) ?? []).filter((entry) => !result.has(entry.name));
    return [...others, ...[...result.values()].filter((entry) => entry !== undefined)];
  };

  const all = [...changes].map(([path, blob]) => ({ names: toBytes(path).split("/"), blob }));
  return { root: write(applyTo("", all)), trees };
}

interface Change {
  readonly names: readonly string[];
  readonly blob: ObjectId | Leaf | null;
}

function leafOf(blob: ObjectId | Leaf): Leaf {
  return typeof blob === "string" ? { mode: fileMode, id: blob } : blob;
}
