import type { Blocked } from "../plumbing/locate.ts";
import { type Entry, kindOf, objectId } from "../plumbing/tree.ts";
import type { Conflict, ConflictKind } from "../words/errors.ts";
import type { ObjectId } from "../words/types.ts";
import type { Tip } from "./asked.ts";
import { formatInventory, type Inventory, inventoryPath } from "./inventory.ts";
import { type Left, madeExecutable } from "./judgeFile.ts";

/** What a plan changes on a tip, and what speaks against it: fills up while the plan is made. */
export class Changes {
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly blobs = new Map<string, ObjectId | null>();
  /** Path from the root to the content of each blob that is put there. */
  readonly contents = new Map<string, string>();
  /** Paths that were to be deleted and stay, since someone changed them. */
  readonly kept: string[] = [];
  readonly conflicts: Conflict[] = [];
  readonly #tip: Tip;

  constructor(tip: Tip) {
    this.#tip = tip;
  }

  put(path: string, blob: ObjectId, content: string): void {
    this.blobs.set(path, blob);
    this.contents.set(path, content);
  }

  /** Puts an inventory into its folder, unless it is there as it is. */
  putInventory(folder: string, inventory: Inventory): void {
    const path = inventoryPath(folder);
    const text = formatInventory(inventory);
    const blob = objectId("blob", Buffer.from(text, "utf8"), this.#tip.snapshot.root.length);
    if (entryAt(this.#tip, path)?.id !== blob) this.put(path, blob, text);
  }

  /** Takes a file out, unless it is not as it was left; false where it stays for that reason. */
  takeAway(path: string, left: Left | undefined): boolean {
    const present = entryAt(this.#tip, path);
    // Where a folder took its place, our file is gone.
    if (present === undefined || kindOf(present) === "folder") return true;
    const asLeft = left?.blobs.includes(present.id) === true && !madeExecutable(left, present);
    const isOurs = kindOf(present) === "file" && asLeft;
    if (isOurs) this.blobs.set(path, null);
    else this.kept.push(path);
    return isOurs;
  }

  takeInventoryAway(folder: string): void {
    this.blobs.set(inventoryPath(folder), null);
  }

  refuse(kind: ConflictKind, path: string, reason: string, expected?: ObjectId): void {
    this.conflicts.push({ kind, path, reason, found: entryAt(this.#tip, path)?.id, expected });
  }

  /** What is deleted is what was judged before, where anybody did: path to blob. */
  assertAsJudged(judged: Readonly<Record<string, ObjectId>>): void {
    const inventories = new Set([...this.#tip.inventories.keys()].map(inventoryPath));
    for (const [path, blob] of this.blobs) {
      if (blob !== null || inventories.has(path) || judged[path] === entryAt(this.#tip, path)?.id) continue;
      this.refuse("moved", path, "the repository moved since the preview", judged[path]);
    }
  }
}

/** What stands at a path; undefined also where something is in the way to it. */
export function entryAt({ snapshot }: Tip, path: string): Entry | undefined {
  const present: Entry | Blocked | undefined = snapshot.at.get(path);
  return present === undefined || "blockedBy" in present ? undefined : present;
}
