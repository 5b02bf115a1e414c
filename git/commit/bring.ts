import { fullPath } from "../../values/path.ts";
import type { Compare } from "../../values/compareText.ts";
import { isExecutable, kindOf, objectId } from "../plumbing/tree.ts";
import { caseClashFinder } from "../words/caseClash.ts";
import type { ObjectId } from "../words/types.ts";
import { type Asked, type Tip, wantedPaths } from "./asked.ts";
import { type Changes, entryAt } from "./changes.ts";
import { Ground, type Known } from "./ground.ts";
import { inventoryPath, type Recorded, recordOf } from "./inventory.ts";
import { judgeFile } from "./judgeFile.ts";
import { judgeMove } from "./move.ts";
import { release } from "./release.ts";

/** What was brought to a folder, as the state will know it; see WritePlan. */
export class Brought {
  readonly blobs: Record<string, ObjectId> = {};
  readonly serials: Record<string, number> = {};
  readonly adopted: Record<string, ObjectId> = {};
  readonly executable: string[] = [];
  readonly unread: ObjectId[] = [];
  readonly notOurs = new Map<string, string>();
  left: readonly string[] = [];
  serial = 0;
  remade = false;
}

/** Brings what is wanted to its folder, takes out what is not wanted there any more, and records whose all that is. */
export function bring(asked: Asked, tip: Tip, compare: Compare, changes: Changes): Brought {
  const ground = new Ground(asked, tip, changes);
  const brought = new Brought();
  // Of a folder that is somebody else's there is no more to say.
  if (changes.conflicts.length > 0) return brought;

  const recorded = place(asked, tip, compare, changes, ground, brought);
  clear(asked, tip, changes, ground);
  leave(asked, tip, changes, ground);
  brought.left = releaseLeft(asked, tip, changes, ground, { brought, recorded });
  // Where all is there as wanted, whoever wrote it did what we were about to, such as `arcflux commit`.
  if (changes.blobs.size > 0 || changes.conflicts.length > 0) refuseAhead(asked, changes, ground);
  changes.putInventory(ground.folder, { owner: asked.owner, left: brought.left, files: recorded });
  const isChanged = changes.blobs.size > 0;
  brought.serial = isChanged ? ground.serial : Math.max(ground.memory?.serial ?? 0, ground.newest);
  brought.remade = ground.allGone && Object.keys(asked.files).length > 0;
  return brought;
}

/** Judges each wanted file, and returns what the inventory is to say of them. */
function place(
  asked: Asked,
  tip: Tip,
  compare: Compare,
  changes: Changes,
  ground: Ground,
  brought: Brought,
): Map<string, Recorded> {
  const { directory, files, before, adopt, drift, owner } = asked;
  const clashing = caseClashFinder(tip.snapshot, new Set(ground.leaving(asked)));
  const recorded = new Map<string, Recorded>();
  const isNewOwner = ground.own !== undefined && ground.own.owner !== owner;
  for (const [relative, content] of Object.entries(files)) {
    const path = fullPath(directory, relative);
    const wanted = objectId("blob", Buffer.from(content, "utf8"), tip.snapshot.root.length);
    const known = ground.know(path);
    const found = entryAt(tip, path);
    brought.blobs[relative] = wanted;
    brought.serials[relative] = ground.serial;
    const clash = clashing(path);
    if (clash !== undefined) {
      const reason = `differs only in case from ${clash}, or in how a letter is encoded, and some systems cannot hold both`;
      changes.refuse("inTheWay", path, reason);
      continue;
    }
    if (isHeld(asked, path, wanted, known, ground, changes, found?.id)) continue;
    const judged = judgeFile({
      ...{ path: relative, content, wanted, present: tip.snapshot.at.get(path), left: known.left },
      ...{ adoptedAs: before?.adopted?.[path], remembers: before !== undefined },
      ...{ adopt, drift, contents: tip.contents, compare },
    });
    if (judged.verdict === "read") brought.unread.push(judged.blob);
    else if (judged.verdict === "refuse") {
      const { kind, reason, differences } = judged;
      const expected = known.entry?.blob ?? lastKnown(ground, path);
      changes.conflicts.push({ kind, path, reason, found: found?.id, expected, differences });
    } else if (judged.verdict === "write") {
      changes.put(path, wanted, content);
      recorded.set(path, { blob: wanted, executable: false, serial: ground.serial });
    } else if (found !== undefined) {
      brought.blobs[relative] = found.id;
      if (found.id !== wanted) brought.adopted[relative] = wanted;
      if (isExecutable(found)) brought.executable.push(relative);
      recorded.set(path, recordOf(found, ground.serial));
    }
    const { entry } = known;
    const now = recorded.get(path);
    if (now === undefined || entry === undefined || isNewOwner || known.lineage === "setBack") continue;
    if (entry.blob !== now.blob || entry.executable !== now.executable) continue;
    // Nothing of it changes, so it stays what the earlier write made it.
    recorded.set(path, entry);
    brought.serials[relative] = entry.serial;
  }
  return recorded;
}

/** Refuses what a rollback or a revert took back, and is asked for again. */
function isHeld(
  { drift }: Asked,
  path: string,
  wanted: ObjectId,
  known: Known,
  ground: Ground,
  changes: Changes,
  found: ObjectId | undefined,
): boolean {
  if (known.entry?.rolledBack === wanted) {
    const reason = "it was rolled back, and the fleet file still asks for what was taken back";
    changes.refuse("rolledBack", path, reason);
    return true;
  }
  if (drift === "restore" || found === wanted || !ground.isSetBack(path, known)) return false;
  const reason = "it was set back to what was there before this stack's last write";
  changes.refuse("setBack", path, reason, lastKnown(ground, path));
  return true;
}

/** Takes out what is not wanted any more. */
function clear(asked: Asked, tip: Tip, changes: Changes, ground: Ground): void {
  for (const path of ground.leaving(asked)) {
    const { lineage, entry, left } = ground.know(path);
    if (lineage !== "broughtBack" || asked.drift === "restore") {
      if (entryAt(tip, path) !== undefined) changes.takeAway(path, left);
      continue;
    }
    const reason = "this stack took it out, and someone has put it back";
    changes.refuse("setBack", path, reason, entryAt(tip, path) && entry?.blob);
  }
}

function refuseAhead(asked: Asked, changes: Changes, ground: Ground): void {
  const paths = [...wantedPaths(asked), ...ground.leaving(asked)];
  if (!paths.some((path) => ground.know(path).lineage === "ahead")) return;
  const knows = ground.memory?.serial ?? 0;
  const reason = `it tells of later updates (serial ${ground.newest}) than the state of this stack knows (serial ${knows})`;
  changes.refuse("ahead", inventoryPath(ground.folder), reason);
}

/** The folder that the files come from, where that is another: it stays, and must not take anything with it. */
function leave(asked: Asked, tip: Tip, changes: Changes, { folder, old, serial }: Ground): void {
  const { before, drift, owner } = asked;
  if (before === undefined || before.folder === folder) return;
  const wanted = new Set(wantedPaths(asked));
  const closed = wanted.has(fullPath(folder, "kustomization.yaml"));
  const move = { from: before.folder, to: folder, before, inventory: old, wanted, closed, drift };
  changes.conflicts.push(...judgeMove(move, tip.snapshot));
  if (tip.inventories.has(before.folder)) return;
  // An older version wrote it, and gave it no inventory.
  const files = new Map<string, Recorded>();
  for (const [path, known] of Object.entries(before.files)) {
    const present = entryAt(tip, path);
    if (present === undefined || kindOf(present) !== "file") continue;
    if (known.some(({ blob }) => blob === present.id)) files.set(path, recordOf(present, serial));
  }
  if (files.size > 0) changes.putInventory(before.folder, { owner, left: [], files });
}

/** The folders that the cluster has left, without those that are released and taken out here. */
function releaseLeft(
  asked: Asked,
  tip: Tip,
  changes: Changes,
  { folder, own, old }: Ground,
  { brought, recorded }: { readonly brought: Brought; readonly recorded: ReadonlyMap<string, Recorded> },
): string[] {
  const { before, released = [] } = asked;
  // Where a pull request was closed, the state alone knows what was left before.
  const left = new Set([...(own?.left ?? before?.left ?? []), ...(old?.left ?? [])]);
  const from = before?.folder ?? folder;
  if (old !== undefined || changes.contents.has(inventoryPath(from))) left.add(from);
  left.delete(folder);
  for (const one of released.filter((other) => other !== folder)) {
    const became = release(asked, tip, changes, one, new Set(recorded.keys()));
    if (became !== "kept") left.delete(one);
    if (typeof became === "object") brought.notOurs.set(one, became.owner);
  }
  return [...left].sort();
}

function lastKnown({ memory }: Ground, path: string): ObjectId | undefined {
  return memory?.files[path]?.at(-1)?.blob;
}
