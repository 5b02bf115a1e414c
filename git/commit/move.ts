import type { Conflict } from "../words/errors.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import { kindOf } from "../plumbing/tree.ts";
import { toBytes, toText } from "../words/bytes.ts";
import type { ObjectId } from "../words/types.ts";
import { fullPath, isInside, pathBelow } from "../../values/path.ts";
import { highestSerial, type Inventory, inventoryName } from "./inventory.ts";
import { lineageOf } from "./lineage.ts";
import type { Before } from "../words/before.ts";

/** Files that go to another folder of the same branch. */
export interface Move {
  /** Folders, from the root. */
  readonly from: string;
  readonly to: string;
  readonly before: Before;
  /** Of the folder that is left; undefined where an older version wrote it. */
  readonly inventory: Inventory | undefined;
  /** Paths from the root that are wanted in the new place. */
  readonly wanted: ReadonlySet<string>;
  /** Whether a list of ours says what Flux takes from the new folder. */
  readonly closed: boolean;
  readonly drift: "stop" | "restore" | undefined;
}

/**
 * What speaks against a move. The old folder stays as it is, so nothing is lost in Git; but once the cluster follows the new
 * one, it loses what only the old one has: changes that somebody made to ours, and manifests of others.
 */
export function judgeMove(move: Move, snapshot: Snapshot): Conflict[] {
  const { from, to, inventory, before } = move;
  const list = fullPath(from, "kustomization.yaml");
  const wasClosed = inventory?.files.has(list) ?? Object.hasOwn(before.files, list);
  if ((isInside(to, from) && !wasClosed) || (isInside(from, to) && !move.closed)) {
    const reason = `the cluster would move to ${show(to)}, one of the two folders lies in the other, and Flux would find each set twice`;
    return [{ kind: "nested", path: from, reason }];
  }
  return [...changedFiles(move, snapshot), ...(wasClosed ? [] : lostManifests(move, snapshot))];
}

function changedFiles({ before, inventory, drift, to }: Move, { at }: Snapshot): Conflict[] {
  if (drift === "restore") return [];
  const newest = inventory && highestSerial(inventory);
  const paths = new Set([...Object.keys(before.files), ...(inventory?.files.keys() ?? [])]);
  return [...paths].flatMap((path): Conflict[] => {
    const known = before.files[path] ?? [];
    const entry = inventory?.files.get(path);
    const present = at.get(path);
    // Somebody deleted it: it is there again in the new folder.
    if (present === undefined || "blockedBy" in present || kindOf(present) !== "file") return [];
    const lineage = lineageOf({ known, entry, top: before.serial, newest });
    const expected = entry?.blob ?? known.at(-1)?.blob;
    const conflict = (reason: string): Conflict[] => [
      {
        kind: "leftBehind",
        path,
        reason: `${reason}, and the move to ${show(to)} would leave that behind`,
        found: present.id,
        expected,
      },
    ];
    if (lineage === "setBack")
      return conflict("it was set back to what was there before this stack's last write");
    const blobs: readonly (ObjectId | undefined)[] =
      entry === undefined ? known.map(({ blob }) => blob) : [entry.blob];
    if (lineage === "new" || blobs.includes(present.id)) {
      const byMode = entry !== undefined && !entry.executable && present.mode !== "100644";
      return byMode ? conflict("someone made it executable after this stack wrote it") : [];
    }
    return conflict("someone changed it after this stack wrote it");
  });
}

/** Manifests of others in the old folder that the new one lacks: Flux deletes what they applied when the cluster follows. */
function lostManifests(
  { from, to, before, inventory, wanted, closed }: Move,
  snapshot: Snapshot,
): Conflict[] {
  return manifestsBelow(snapshot, from).flatMap((path): Conflict[] => {
    if (Object.hasOwn(before.files, path) || inventory?.files.has(path) === true) return [];
    if (isInside(path, to) || wanted.has(path)) return [];
    const there = fullPath(to, pathBelow(from, path));
    if (!closed && (wanted.has(there) || snapshot.at.has(there) || isThere(snapshot, there))) return [];
    const next = closed
      ? `in ${show(to)} Flux takes the generated files alone, so have a set apply it`
      : `commit it to ${there} first`;
    const reason = `it is not in the new folder, so what it applied would be deleted: ${next}`;
    return [{ kind: "lost", path, reason }];
  });
}

/** Paths of all manifests in a folder and below it, as far as the snapshot holds it. */
function manifestsBelow({ folders }: Snapshot, folder: string): string[] {
  const look = (at: string): string[] =>
    (folders.get(at) ?? []).flatMap((entry) => {
      const place = at === "" ? entry.name : `${at}/${entry.name}`;
      if (kindOf(entry) === "folder") return look(place);
      return kindOf(entry) === "file" && /\.ya?ml$/.test(entry.name) && entry.name !== inventoryName
        ? [toText(place)]
        : [];
    });
  return look(toBytes(folder));
}

function isThere({ folders }: Snapshot, path: string): boolean {
  const bytes = toBytes(path);
  const slash = bytes.lastIndexOf("/");
  return (folders.get(bytes.slice(0, Math.max(0, slash))) ?? []).some(
    ({ name }) => name === bytes.slice(slash + 1),
  );
}

function show(folder: string): string {
  return folder === "" ? "the root of the repository" : folder;
}
