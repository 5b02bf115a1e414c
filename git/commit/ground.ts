import type { Before } from "../words/before.ts";
import { isInside } from "../../values/path.ts";
import { type Asked, followedFolder, isWanted, nothingLeft, ownershipFor, type Tip } from "./asked.ts";
import { type Changes, entryAt } from "./changes.ts";
import { highestSerial, type Inventory, inventoryPath, type Recorded } from "./inventory.ts";
import type { Left } from "./judgeFile.ts";
import { type Lineage, lineageOf } from "./lineage.ts";

/** What is known of a file by inventory and state. */
export interface Known {
  readonly lineage: Lineage;
  readonly entry: Recorded | undefined;
  /** What was left there; undefined where nobody of ours wrote it. */
  readonly left: Left | undefined;
}

/** What a write builds on: the folder's inventory and the state, and how they stand to each other. */
export class Ground {
  readonly folder: string;
  /** Inventory of the folder, where it is ours. */
  readonly own: Inventory | undefined;
  /** Inventory of the folder that the files come from, where that is another and still ours. */
  readonly old: Inventory | undefined;
  /** The state, where it is about this folder and counts. */
  readonly memory: Before | undefined;
  /** Serial of this write. */
  readonly serial: number;
  /** The highest serial that is there. */
  readonly newest: number;
  /** Whether all that was written is gone, so that putting it back is what is asked for; a revert was meant. */
  readonly allGone: boolean;
  readonly #tip: Tip;

  constructor(asked: Asked, tip: Tip, changes: Changes) {
    const { before } = asked;
    this.#tip = tip;
    this.folder = followedFolder(asked);
    this.own = ourInventory(asked, tip, this.folder, changes);
    this.old = before && before.folder !== this.folder ? ourInventory(asked, tip, before.folder) : undefined;
    const isTaken = this.own && ownershipFor(asked, this.folder, this.own) === "taken";
    this.memory = before?.folder === this.folder && isTaken !== true ? before : undefined;
    this.newest = Math.max(
      ...[this.own, this.old].map((one) => (one === undefined ? 0 : highestSerial(one))),
    );
    this.serial = 1 + lastSerial(this.newest, this.memory?.serial, before?.serial ?? 0);
    const lasting = Object.keys(before?.files ?? {}).filter(
      (path) => before?.mayLack?.includes(path) !== true,
    );
    const written = [...lasting, ...(this.own?.files.keys() ?? [])];
    this.allGone =
      written.length > 0 &&
      !tip.reverted &&
      nothingLeft(asked, tip.snapshot) &&
      written.every((path) => entryAt(tip, path) === undefined);
  }

  know(path: string): Known {
    const { own, old, memory } = this;
    const entry = own?.files.get(path) ?? old?.files.get(path);
    const known = memory?.files[path] ?? [];
    const mayLack = memory?.mayLack?.includes(path) ?? false;
    const newest = own && highestSerial(own);
    const lineage = lineageOf({ known, mayLack, entry, top: memory?.serial, newest });
    const blobs = known.map(({ blob }) => blob);
    return { lineage, entry, left: this.allGone ? undefined : leftOf(lineage, entry, blobs) };
  }

  /** Whether someone went back to what was there before our last write. */
  isSetBack(path: string, { lineage }: Known): boolean {
    if (lineage === "setBack") return true;
    const isGone = lineage === "unlisted" && entryAt(this.#tip, path) === undefined;
    return isGone && (this.own !== undefined || this.#tip.reverted);
  }

  /** What was ours and is not wanted any more. */
  leaving(asked: Asked): string[] {
    const { own, memory } = this;
    // What no inventory lists goes only where there is none, by the word of a state that an older version saved; with a
    // pull request a state also knows what lies in other folders.
    const byState =
      own === undefined && memory?.mayLack === undefined ? Object.keys(memory?.files ?? {}) : [];
    // Anybody may write anything into an inventory.
    const listed = [...(own?.files.keys() ?? [])].filter(
      (path) => isInside(path, asked.directory) || Object.hasOwn(memory?.files ?? {}, path),
    );
    return [...new Set([...listed, ...byState])].filter((path) => !isWanted(asked, path));
  }
}

/**
 * The serial that this write is one further than. Every run from one state takes the same next serial: by that a killed one
 * is known. What is further than that is a rollback, whose serials stay below ours.
 */
function lastSerial(newest: number, remembered: number | undefined, elsewhere: number): number {
  if (remembered === undefined) return Math.max(newest, elsewhere);
  return newest > remembered + 1 ? newest : remembered;
}

/**
 * The inventory of a folder, where it is ours. With `changes` the folder is wanted: one that is not ours, or that nobody can
 * read, is refused. What was left and is somebody else's by now is no matter of ours.
 */
function ourInventory(asked: Asked, tip: Tip, folder: string, changes?: Changes): Inventory | undefined {
  const found = tip.inventories.get(folder);
  if (found === undefined) return undefined;
  const path = inventoryPath(folder);
  if ("fault" in found) {
    // Whoever has the state of the folder may write a new one.
    if (asked.drift !== "restore" || asked.before?.folder !== folder)
      changes?.refuse(
        "unreadable",
        path,
        `it tells whose this folder is, and cannot be read: ${found.fault}`,
      );
    return undefined;
  }
  if (ownershipFor(asked, folder, found) !== "others") return found;
  changes?.refuse("owner", path, `this folder belongs to ${found.owner}`);
  return undefined;
}

function leftOf(lineage: Lineage, entry: Recorded | undefined, known: readonly string[]): Left | undefined {
  switch (lineage) {
    case "new":
      return undefined;
    case "unlisted":
      return { blobs: known, executable: undefined };
    case "asLeft":
    case "later":
    case "setBack":
    case "broughtBack":
    case "ahead":
      return entry && { blobs: [entry.blob], executable: entry.executable };
  }
}
