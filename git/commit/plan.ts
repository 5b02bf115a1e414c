import { caseClashFinder } from "../words/caseClash.ts";
import { type Compare, compareText } from "../../values/compareText.ts";
import type { Conflict, ConflictKind } from "../words/errors.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import type { TooLarge } from "../plumbing/objects.ts";
import { isExecutable, kindOf, objectId } from "../plumbing/tree.ts";
import type { ObjectId, WriteRequest, WriteResult } from "../words/types.ts";
import { fullPath, isInside, pathBelow } from "../../values/path.ts";
import {
  formatInventory,
  highestSerial,
  inventoryPath,
  type Inventory,
  type Recorded,
  recordOf,
  type Unreadable,
} from "./inventory.ts";
import { judgeFile, type Left, madeExecutable } from "./judgeFile.ts";
import type { Remembered } from "../words/before.ts";
import { type Lineage, lineageOf } from "./lineage.ts";
import { judgeMove } from "./move.ts";
import { type Ownership, ownershipOf } from "./ownership.ts";

/** What a plan reads of a request. */
export type Asked = Pick<
  WriteRequest,
  | "directory"
  | "files"
  | "owner"
  | "followed"
  | "before"
  | "formerly"
  | "takeFrom"
  | "released"
  | "deletions"
  | "remove"
  | "adopt"
  | "drift"
>;

/** What a plan is made on: the tip of a branch, as far as the request asks for it. */
export interface Tip {
  /** Every folder on the way to what the request and the inventories name; of a folder that is left, all below it. */
  readonly snapshot: Snapshot;
  /** By folder from the root; a folder without one is absent. */
  readonly inventories: ReadonlyMap<string, Inventory | Unreadable>;
  /** Contents of blobs that were asked for, or that one is too large to compare. */
  readonly contents: ReadonlyMap<ObjectId, Buffer | TooLarge>;
  /** Whether it was a revert that took everything away. */
  readonly reverted: boolean;
}

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

/** The folder that the cluster follows, from the root. */
export function followedFolder({ directory, followed = "" }: Pick<Asked, "directory" | "followed">): string {
  return followed === "" ? directory : fullPath(directory, followed);
}

/** Folders whose inventories a request has to do with. */
export function foldersOf({ before, released = [], ...place }: Asked): string[] {
  const folders = [followedFolder(place), ...(before === undefined ? [] : [before.folder]), ...released];
  return [...new Set(folders)];
}

/** Every path a request has a say about, from the root, but for what its inventories name. */
export function pathsOf(asked: Asked): string[] {
  return [...new Set([...filesOf(asked), ...foldersOf(asked).map(inventoryPath)])];
}

function filesOf({ directory, files, before }: Asked): string[] {
  return [
    ...Object.keys(files).map((path) => fullPath(directory, path)),
    ...Object.keys(before?.files ?? {}),
  ];
}

/**
 * Decides what a write changes, or why it must not: the same for an update, a pull request and a preview. Pure; the push
 * that follows is compare-and-swap on the very tip.
 */
export function planWrite(asked: Asked, tip: Tip, compare: Compare = compareText): WritePlan {
  return new Planner(asked, tip, compare).plan();
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

/** Whether none of the files that were written is there, nor anything that is wanted. */
export function nothingLeft(asked: Asked, { snapshot }: Pick<Tip, "snapshot">): boolean {
  return filesOf(asked).every((path) => !snapshot.at.has(path));
}

class Planner {
  readonly #asked: Asked;
  readonly #tip: Tip;
  readonly #compare: Compare;
  readonly #folder: string;
  readonly #changes = new Map<string, ObjectId | null>();
  readonly #contents = new Map<string, string>();
  readonly #conflicts: Conflict[] = [];
  readonly #unread: ObjectId[] = [];
  readonly #kept: string[] = [];
  readonly #notOurs = new Map<string, string>();

  constructor(asked: Asked, tip: Tip, compare: Compare) {
    this.#asked = asked;
    this.#tip = tip;
    this.#compare = compare;
    this.#folder = followedFolder(asked);
  }

  plan(): WritePlan {
    const { remove = false } = this.#asked;
    const done = remove ? this.#takeOut() : this.#write();
    this.#assertAsJudged();
    return {
      changes: this.#changes,
      contents: this.#contents,
      ...done,
      held: this.#held(),
      kept: this.#kept.sort(),
      notOurs: this.#notOurs,
      conflicts: this.#conflicts,
      unread: this.#unread,
    };
  }

  /** Brings what is wanted to the folder, and takes out what is not wanted there any more. */
  #write() {
    const { directory, files, owner, before, released = [], drift } = this.#asked;
    const { snapshot, inventories } = this.#tip;
    const own = this.#inventoryOf(this.#folder);
    const from = before?.folder;
    const moved = from !== undefined && from !== this.#folder;
    const old = moved ? this.#inventoryOf(from, "left") : undefined;
    const memory = from === this.#folder && own?.ownership !== "taken" ? before : undefined;
    const top = memory?.serial;
    const newest = Math.max(0, ...[own, old].map((one) => (one ? highestSerial(one.inventory) : 0)));
    const serial = (top ?? Math.max(newest, before?.serial ?? 0)) + 1;
    const isNewOwner = own !== undefined && own.inventory.owner !== owner;
    const lasting = Object.keys(before?.files ?? {}).filter(
      (path) => before?.mayLack?.includes(path) !== true,
    );
    const allGone = lasting.length > 0 && !this.#tip.reverted && nothingLeft(this.#asked, this.#tip);

    const recorded = new Map<string, Recorded>();
    const blobs: Record<string, ObjectId> = {};
    const serials: Record<string, number> = {};
    const adopted: Record<string, ObjectId> = {};
    const executable: string[] = [];
    const tell = (path: string): { lineage: Lineage; entry: Recorded | undefined } => {
      const entry = own?.inventory.files.get(path) ?? old?.inventory.files.get(path);
      const known = memory?.files[path] ?? [];
      const mayLack = memory?.mayLack?.includes(path) ?? false;
      const listed = own === undefined ? undefined : highestSerial(own.inventory);
      return { entry, lineage: lineageOf({ known, mayLack, entry, top, newest: listed }) };
    };
    // What no inventory lists goes only where there is none, by the word of a state that an older version saved; with a
    // pull request a state also knows what lies in other folders.
    const byState =
      own === undefined && memory?.mayLack === undefined ? Object.keys(memory?.files ?? {}) : [];
    const leaving = [...(own?.inventory.files.keys() ?? []), ...byState].filter(
      (path) => !this.#isWanted(path),
    );
    const clashing = caseClashFinder(snapshot, new Set(leaving));
    let isAhead = false;

    // Of a folder that is somebody else's there is no more to say.
    const isRefused = this.#conflicts.length > 0;
    for (const [relative, content] of isRefused ? [] : Object.entries(files)) {
      const path = fullPath(directory, relative);
      const wanted = objectId("blob", Buffer.from(content, "utf8"), snapshot.root.length);
      const present = snapshot.at.get(path);
      const { entry, lineage } = tell(path);
      blobs[relative] = wanted;
      serials[relative] = serial;
      if (lineage === "ahead") isAhead = true;
      const found = present === undefined || "blockedBy" in present ? undefined : present;
      const clash = clashing(path);
      if (clash !== undefined) {
        const reason = `differs only in case from ${clash}, or in how a letter is encoded, and some systems cannot hold both`;
        this.#refuse("inTheWay", path, reason);
        continue;
      }
      if (entry?.rolledBack === wanted) {
        this.#refuse(
          "rolledBack",
          path,
          "it was rolled back, and the fleet file still asks for what was taken back",
        );
        continue;
      }
      const isSetBack =
        lineage === "setBack" ||
        (lineage === "unlisted" && present === undefined && own !== undefined) ||
        (this.#tip.reverted && present === undefined && lineage === "unlisted");
      if (isSetBack && drift !== "restore" && found?.id !== wanted) {
        const reason = "it was set back to what was there before this stack's last write";
        this.#refuse("setBack", path, reason, found?.id, memory?.files[path]?.at(-1)?.blob);
        continue;
      }
      const judged = judgeFile({
        path: relative,
        content,
        wanted,
        present,
        left: allGone
          ? undefined
          : leftOf(
              lineage,
              entry,
              memory?.files[path]?.map(({ blob }) => blob),
            ),
        adoptedAs: before?.adopted?.[path],
        remembers: before !== undefined,
        adopt: this.#asked.adopt,
        drift,
        contents: this.#tip.contents,
        compare: this.#compare,
      });
      switch (judged.verdict) {
        case "write":
          this.#put(path, wanted, content);
          recorded.set(path, { blob: wanted, executable: false, serial });
          break;
        case "leave":
        case "adopt":
          if (found === undefined) break;
          blobs[relative] = found.id;
          if (found.id !== wanted) adopted[relative] = wanted;
          if (isExecutable(found)) executable.push(relative);
          recorded.set(path, recordOf(found, serial));
          break;
        case "read":
          this.#unread.push(judged.blob);
          break;
        case "refuse": {
          const { kind, reason, differences } = judged;
          const expected = entry?.blob ?? memory?.files[path]?.at(-1)?.blob;
          this.#conflicts.push({ kind, path, reason, found: found?.id, expected, differences });
        }
      }
      const now = recorded.get(path);
      if (now === undefined || entry === undefined || isNewOwner) continue;
      if (entry.blob !== now.blob || entry.executable !== now.executable || lineage === "setBack") continue;
      // Nothing of it changes, so it stays what the earlier write made it.
      recorded.set(path, entry);
      serials[relative] = entry.serial;
    }

    for (const path of new Set(leaving)) {
      const { entry, lineage } = tell(path);
      if (lineage === "ahead") isAhead = true;
      if (lineage === "broughtBack" && drift !== "restore") {
        this.#refuse(
          "setBack",
          path,
          "this stack took it out, and someone has put it back",
          snapshot.at.get(path) && entry?.blob,
        );
      } else
        this.#takeAway(
          path,
          leftOf(
            lineage,
            entry,
            memory?.files[path]?.map(({ blob }) => blob),
          ),
        );
    }
    if (isAhead) {
      const reason = `it tells of later updates (serial ${newest}) than the state of this stack knows (serial ${top ?? 0})`;
      this.#refuse("ahead", inventoryPath(this.#folder), reason);
    }
    if (moved && before !== undefined && !isRefused) {
      const closed = Object.hasOwn(files, pathBelow(directory, fullPath(this.#folder, "kustomization.yaml")));
      const wanted = new Set(Object.keys(files).map((path) => fullPath(directory, path)));
      const move = { from, to: this.#folder, before, inventory: old?.inventory, wanted, closed, drift };
      this.#conflicts.push(...judgeMove(move, snapshot));
      if (!inventories.has(from)) this.#recordOld(from, serial);
    }

    // Where a pull request was closed, the state alone knows what was left before.
    const left = new Set([...(own?.inventory.left ?? before?.left ?? []), ...(old?.inventory.left ?? [])]);
    if (moved && (old !== undefined || this.#contents.has(inventoryPath(from)))) left.add(from);
    left.delete(this.#folder);
    for (const folder of released)
      if (folder !== this.#folder && this.#release(folder, recorded)) left.delete(folder);
    const inventory = { owner, left: [...left], files: recorded };
    this.#putInventory(this.#folder, inventory);
    const changed = this.#changes.size > 0;
    return {
      files: recorded,
      blobs,
      serials,
      adopted,
      executable,
      serial: changed ? serial : Math.max(top ?? 0, newest),
      left: inventory.left.sort(),
      remade: allGone && Object.keys(files).length > 0,
    };
  }

  /** Takes out all that is the cluster's: the resource goes. */
  #takeOut() {
    const { before } = this.#asked;
    const folder = before?.folder ?? this.#folder;
    const found = this.#tip.inventories.get(folder);
    const own = found !== undefined && !("fault" in found) ? found : undefined;
    const none = new Map<string, Recorded>();
    if (own === undefined) {
      // Only the state tells: by an older version, or where somebody took the inventory away.
      for (const [path, known] of Object.entries(before?.files ?? {})) {
        this.#takeAway(path, { blobs: known.map(({ blob }) => blob), executable: undefined });
      }
    } else for (const one of [folder, ...own.left]) this.#release(one, none);
    const gone = { blobs: {}, serials: {}, adopted: {}, executable: [], remade: false, left: [] };
    return { ...gone, files: none, serial: (before?.serial ?? 0) + 1 };
  }

  /**
   * Takes out what the inventory of a folder lists, nobody has changed and is not `wanted` elsewhere. Returns whether nothing
   * of ours is left there.
   */
  #release(folder: string, wanted: ReadonlyMap<string, Recorded>): boolean {
    const found = this.#tip.inventories.get(folder);
    if (found === undefined) return true;
    if ("fault" in found || this.#ownershipOf(folder, found) === "others") {
      this.#notOurs.set(
        folder,
        "fault" in found ? `nobody, since its inventory cannot be read (${found.fault})` : found.owner,
      );
      return true;
    }
    const stays = new Map<string, Recorded>();
    for (const [path, entry] of found.files) {
      if (wanted.has(path) || !isInside(path, this.#reach(folder))) continue;
      if (!this.#takeAway(path, { blobs: [entry.blob], executable: entry.executable }))
        stays.set(path, entry);
    }
    // What somebody changed there stays, and the folder stays ours, so that no cluster comes to it: unless we go.
    if (stays.size > 0 && this.#asked.remove !== true) this.#putInventory(folder, { ...found, files: stays });
    else this.#changes.set(inventoryPath(folder), null);
    return stays.size === 0;
  }

  /** What is there of ours: what an inventory lists, and else what lies where files are wanted. */
  #held(): Record<string, Remembered> {
    const { files, directory, before } = this.#asked;
    const own = this.#tip.inventories.get(this.#folder);
    const listed = own === undefined || "fault" in own ? new Map<string, Recorded>() : own.files;
    const wanted = Object.keys(files).map((path) => fullPath(directory, path));
    const known = before?.folder === this.#folder ? Object.keys(before.files) : [];
    return Object.fromEntries(
      [...new Set([...listed.keys(), ...wanted, ...known])].flatMap((path) => {
        const entry = listed.get(path);
        if (entry !== undefined) return [[path, { blob: entry.blob, serial: entry.serial }] as const];
        const present = this.#tip.snapshot.at.get(path);
        return present === undefined || "blockedBy" in present ? [] : [[path, { blob: present.id }] as const];
      }),
    );
  }

  /** How far the inventory of a folder is believed: not beyond the folder that the cluster has. */
  #reach(folder: string): string {
    const { directory, followed = "" } = this.#asked;
    const below = followed === "" ? "" : `/${followed}`;
    if (isInside(`${folder}/`, directory)) return directory;
    return below !== "" && folder.endsWith(below) ? folder.slice(0, -below.length) : folder;
  }

  #isWanted(path: string): boolean {
    const { directory, files } = this.#asked;
    return isInside(path, directory) && Object.hasOwn(files, pathBelow(directory, path));
  }

  /** The inventory of a folder that is ours; undefined where there is none, and with a conflict where it is not ours. */
  #inventoryOf(
    folder: string,
    how: "wanted" | "left" = "wanted",
  ): { readonly inventory: Inventory; readonly ownership: Ownership } | undefined {
    const found = this.#tip.inventories.get(folder);
    if (found === undefined) return undefined;
    const path = inventoryPath(folder);
    if ("fault" in found) {
      // Whoever has the state of the folder may write a new one.
      if (this.#asked.drift !== "restore" || this.#asked.before?.folder !== folder)
        this.#refuse("unreadable", path, `it tells whose this folder is, and cannot be read: ${found.fault}`);
      return undefined;
    }
    const ownership = this.#ownershipOf(folder, found);
    if (ownership !== "others") return { inventory: found, ownership };
    // What was left and is somebody else's by now is no matter of ours.
    if (how === "wanted") this.#refuse("owner", path, `this folder belongs to ${found.owner}`);
    return undefined;
  }

  #ownershipOf(folder: string, inventory: Inventory): Ownership {
    const { owner, formerly, takeFrom, before } = this.#asked;
    const state = before?.folder === folder ? { owner: before.owner, serial: before.serial } : undefined;
    return ownershipOf({ owner, formerly, takeFrom, state }, inventory);
  }

  /** A folder that an older version wrote, and that is left now, gets the inventory that it lacks. */
  #recordOld(folder: string, serial: number): void {
    const files = new Map<string, Recorded>();
    for (const [path, known] of Object.entries(this.#asked.before?.files ?? {})) {
      const present = this.#tip.snapshot.at.get(path);
      if (present === undefined || "blockedBy" in present || kindOf(present) !== "file") continue;
      if (known.some(({ blob }) => blob === present.id)) files.set(path, recordOf(present, serial));
    }
    if (files.size > 0) this.#putInventory(folder, { owner: this.#asked.owner, left: [], files });
  }

  #putInventory(folder: string, inventory: Inventory): void {
    const path = inventoryPath(folder);
    const text = formatInventory(inventory);
    const blob = objectId("blob", Buffer.from(text, "utf8"), this.#tip.snapshot.root.length);
    const present = this.#tip.snapshot.at.get(path);
    if (present !== undefined && !("blockedBy" in present) && present.id === blob) return;
    this.#put(path, blob, text);
  }

  #put(path: string, blob: ObjectId, content: string): void {
    this.#changes.set(path, blob);
    this.#contents.set(path, content);
  }

  /** Takes a file out, unless it is not as it was left; false where it stays for that reason. */
  #takeAway(path: string, left: Left | undefined): boolean {
    const present = this.#tip.snapshot.at.get(path);
    // Where a folder took its place, our file is gone.
    if (present === undefined || "blockedBy" in present || kindOf(present) === "folder") return true;
    const isOurs = left?.blobs.includes(present.id) === true && !madeExecutable(left, present);
    if (kindOf(present) === "file" && isOurs) this.#changes.set(path, null);
    else this.#kept.push(path);
    return kindOf(present) === "file" && isOurs;
  }

  /** What is deleted is what was judged before, where anybody did. */
  #assertAsJudged(): void {
    const { deletions } = this.#asked;
    if (deletions === undefined) return;
    const inventories = new Set([...this.#tip.inventories.keys()].map(inventoryPath));
    for (const [path, blob] of this.#changes) {
      if (blob !== null || inventories.has(path)) continue;
      const present = this.#tip.snapshot.at.get(path);
      const found = present === undefined || "blockedBy" in present ? undefined : present.id;
      if (found === undefined || deletions[path] === found) continue;
      this.#refuse("moved", path, "the repository moved since the preview", found, deletions[path]);
    }
  }

  #refuse(kind: ConflictKind, path: string, reason: string, found?: ObjectId, expected?: ObjectId): void {
    this.#conflicts.push({ kind, path, reason, found, expected });
  }
}

/** What a file was left as, by what is known of it. */
function leftOf(
  lineage: Lineage,
  entry: Recorded | undefined,
  known: readonly ObjectId[] = [],
): Left | undefined {
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
