import { type Compare, compareText } from "../../values/compareText.ts";
import type { Remembered } from "../words/before.ts";
import type { Conflict } from "../words/errors.ts";
import type { ObjectId, WriteResult } from "../words/types.ts";
import { type Asked, followedFolder, type Tip, wantedPaths } from "./asked.ts";
import { bring, Brought } from "./bring.ts";
import { Changes, entryAt } from "./changes.ts";
import type { Recorded } from "./inventory.ts";
import { takeOut } from "./release.ts";

/** What has to change on the branch for a request, or why it must not. */
export interface WritePlan {
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly changes: ReadonlyMap<string, ObjectId | null>;
  /** Path from the root to the content of each blob that is put there. */
  readonly contents: ReadonlyMap<string, string>;
  /** Path below the directory to the blob there afterwards. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** As `blobs`, to the serial of the write that last changed it. */
  readonly serials: Readonly<Record<string, number>>;
  /** Those of `blobs` that only mean what was asked for, with the blob asked for. */
  readonly adopted: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that stay executable, as they were found. */
  readonly executable: readonly string[];
  /** Of this write, or of the newest before it where nothing is to change. */
  readonly serial: number;
  /** By path from the root, what the branch holds of ours as it stands. */
  readonly held: Readonly<Record<string, Remembered>>;
  /** Folders that the cluster has left and that are not released. */
  readonly left: readonly string[];
  /** Paths from the root that were to be deleted and stay, since someone changed them. */
  readonly kept: readonly string[];
  /** Folders that were to be emptied and belong to somebody else, with whom. */
  readonly notOurs: ReadonlyMap<string, string>;
  /** Whether files that were written before are all gone and are put back. */
  readonly remade: boolean;
  readonly conflicts: readonly Conflict[];
  /** Blobs whose content decides and is not among what is known: with it, plan again. */
  readonly unread: readonly ObjectId[];
}

/**
 * Decides what a write changes, or why it must not: the same for an update and a pull request. Pure; the push that follows is
 * compare-and-swap on the very tip.
 */
export function planWrite(asked: Asked, tip: Tip, compare: Compare = compareText): WritePlan {
  const changes = new Changes(tip);
  const brought = asked.remove === true ? gone(asked, tip, changes) : bring(asked, tip, compare, changes);
  if (asked.deletions !== undefined) changes.assertAsJudged(asked.deletions);
  const { blobs: changed, contents, conflicts, kept } = changes;
  return { ...brought, changes: changed, contents, held: heldBy(asked, tip), kept: kept.sort(), conflicts };
}

function gone(asked: Asked, tip: Tip, changes: Changes): Brought {
  const serial = (asked.before?.serial ?? 0) + 1;
  return Object.assign(new Brought(), { serial, notOurs: takeOut(asked, tip, changes) });
}

/** What is there of ours: what an inventory lists, and else what lies where files are wanted. */
function heldBy(asked: Asked, tip: Tip): Record<string, Remembered> {
  const folder = followedFolder(asked);
  const own = tip.inventories.get(folder);
  const listed = own === undefined || "fault" in own ? new Map<string, Recorded>() : own.files;
  const known = asked.before?.folder === folder ? Object.keys(asked.before.files) : [];
  const paths = new Set([...listed.keys(), ...wantedPaths(asked), ...known]);
  return Object.fromEntries(
    [...paths].flatMap((path) => {
      const { blob = entryAt(tip, path)?.id, serial } = listed.get(path) ?? {};
      return blob === undefined ? [] : [[path, { blob, ...(serial !== undefined && { serial }) }] as const];
    }),
  );
}

/** What a caller gets to know of a plan that was carried out. */
export function resultOf(plan: WritePlan): Omit<WriteResult, "kind" | "commit" | "attempts"> {
  const { blobs, serials, serial, adopted, executable, left, kept, notOurs, remade } = plan;
  return {
    ...{ blobs, serials, serial, left, kept },
    ...(Object.keys(adopted).length > 0 && { adopted }),
    ...(executable.length > 0 && { executable }),
    ...(notOurs.size > 0 && { notOurs: Object.fromEntries(notOurs) }),
    ...(remade && { remade }),
  };
}
