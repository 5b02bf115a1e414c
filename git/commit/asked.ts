import { fullPath, isInside, pathBelow } from "../../values/path.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import type { TooLarge } from "../plumbing/objects.ts";
import type { ObjectId, WriteRequest } from "../words/types.ts";
import { type Inventory, inventoryPath, type Unreadable } from "./inventory.ts";
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

/** Paths from the root of what is wanted, and of what the state knows. */
function filesOf(asked: Asked): string[] {
  return [...wantedPaths(asked), ...Object.keys(asked.before?.files ?? {})];
}

/** Paths from the root of what is wanted. */
export function wantedPaths({ directory, files }: Pick<Asked, "directory" | "files">): string[] {
  return Object.keys(files).map((path) => fullPath(directory, path));
}

/** Whether a path from the root is wanted. */
export function isWanted({ directory, files }: Asked, path: string): boolean {
  return isInside(path, directory) && Object.hasOwn(files, pathBelow(directory, path));
}

/** Whether none of the files that were written is there, nor anything that is wanted. */
export function nothingLeft(asked: Asked, { at }: Snapshot): boolean {
  return filesOf(asked).every((path) => !at.has(path));
}

/** Whose a folder is for whoever asks. */
export function ownershipFor(asked: Asked, folder: string, inventory: Inventory): Ownership {
  const { owner, formerly, takeFrom, before } = asked;
  const state = before?.folder === folder ? { owner: before.owner, serial: before.serial } : undefined;
  return ownershipOf({ owner, formerly, takeFrom, state }, inventory);
}
