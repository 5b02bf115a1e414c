import { fullPath, fullPaths, pathBelow } from "../../values/path.ts";
import { toText } from "../words/bytes.ts";
import type { Compare } from "../../values/compareText.ts";
import { folderOf, isInside } from "../../values/path.ts";
import { caseClashFinder } from "../words/caseClash.ts";
import { compareText } from "../../values/compareText.ts";
import type { Conflict } from "../words/errors.ts";
import type { Blocked, Snapshot } from "../plumbing/locate.ts";
import { sizeText } from "../plumbing/objects.ts";
import type { TooLarge } from "../plumbing/objects.ts";
import { isExecutable, kindOf, objectId } from "../plumbing/tree.ts";
import type { Entry } from "../plumbing/tree.ts";
import type { ObjectId, Waiting, WriteRequest } from "../words/types.ts";
import { moveOf, namesake, othersIn, vacatedFolders } from "./vacate.ts";

/** What has to change on the branch for a request, or why it must not. */
export interface WritePlan {
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly changes: ReadonlyMap<string, ObjectId | null>;
  /** Path below the directory to the blob there afterwards. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that only mean what was asked for, with the blob asked for. */
  readonly adopted: Readonly<Record<string, ObjectId>>;
  /** Those of `blobs` that stay executable, as they were found. */
  readonly executable: readonly string[];
  /** Paths below the directory that were to be deleted and stay, since someone changed them. */
  readonly kept: readonly string[];
  /** Whether files that were written before are all gone and are put back. */
  readonly remade: boolean;
  /** What stays in a folder that is given up. */
  readonly waiting: Waiting | undefined;
  readonly conflicts: readonly Conflict[];
  /** Blobs whose content decides and is not among what is known: with it, plan again. */
  readonly unread: readonly ObjectId[];
}

/** What a plan may look up beyond the snapshot. */
export interface Known {
  /** Contents of blobs of the branch, or that one is too large to compare. */
  readonly contents: ReadonlyMap<ObjectId, Buffer | TooLarge>;
  /** Path below the directory to the blob there that a run left which could not save its state. */
  readonly unsaved: ReadonlyMap<string, ObjectId>;
  /** Paths below the directory that such a run took away. */
  readonly deleted: ReadonlySet<string>;
  /** Paths below the directory at which someone went back from what such a run left. */
  readonly takenBack: ReadonlySet<string>;
  readonly compare: Compare;
  /** Whether it was a revert that took everything away. */
  readonly reverted: boolean;
  /** A path in a folder (both from the root) that comes to the branch with this write, but not by this caller. */
  readonly arrivingIn?: ((folder: string) => string | undefined) | undefined;
}

export const nothingKnown: Known = {
  contents: new Map(),
  unsaved: new Map(),
  deleted: new Set(),
  takenBack: new Set(),
  compare: compareText,
  reverted: false,
};

type Asked = Pick<
  WriteRequest,
  | "directory"
  | "files"
  | "owned"
  | "adopted"
  | "executable"
  | "adopt"
  | "drift"
  | "movedAs"
  | "followed"
  | "side"
>;

/** Every path a request has a say about, from the root. */
export function pathsOf({
  directory,
  files,
  owned,
}: Pick<WriteRequest, "directory" | "files" | "owned">): string[] {
  return fullPaths(directory, [...new Set([...Object.keys(files), ...Object.keys(owned)])]);
}

/** Whether none of the files that were written is there, and none that is wanted. */
export function nothingLeft(request: Asked, { at }: Snapshot): boolean {
  return pathsOf(request).every((path) => !at.has(path));
}

/** Decides by blob ids; by contents only where a file is there that is neither as wanted nor as it was left. */
export function planWrite(request: Asked, snapshot: Snapshot, known: Known = nothingKnown): WritePlan {
  const { directory, files, owned } = request;
  const changes = new Map<string, ObjectId | null>();
  const blobs: Record<string, ObjectId> = {};
  const adopted: Record<string, ObjectId> = {};
  const executable: string[] = [];
  const kept: string[] = [];
  const conflicts: Conflict[] = [];
  const unread: ObjectId[] = [];
  // With nothing of it left, the whole folder was taken away, and putting it back is what is asked for. A revert of
  // the commit that made it was meant.
  const allGone = !known.reverted && nothingLeft(request, snapshot);
  const written = new Set([...Object.keys(owned), ...known.unsaved.keys()]);
  const leaving = [...written].filter((path) => !Object.hasOwn(files, path));
  const clashing = caseClashFinder(snapshot, new Set(leaving.map((path) => fullPath(directory, path))));

  for (const [relative, content] of Object.entries(files)) {
    const path = fullPath(directory, relative);
    const wanted = objectId("blob", Buffer.from(content, "utf8"), snapshot.root.length);
    const expected = Object.hasOwn(owned, relative) ? owned[relative] : undefined;
    const present = snapshot.at.get(path);
    const clash = clashing(path);
    const judged =
      clash === undefined
        ? judge({ request, relative, present, wanted, expected, allGone, known })
        : inTheWay(
            `differs only in case from ${clash}, or in how a letter is encoded, and some systems cannot hold both`,
          );
    blobs[relative] = wanted;
    const stays = judged.verdict === "leave" || judged.verdict === "adopt";
    if (stays && present !== undefined && !("blockedBy" in present) && isExecutable(present))
      executable.push(relative);
    switch (judged.verdict) {
      case "write":
        changes.set(path, wanted);
        break;
      case "leave":
        break;
      case "adopt":
        blobs[relative] = judged.blob;
        adopted[relative] = wanted;
        break;
      case "read":
        unread.push(judged.blob);
        break;
      case "refuse": {
        const found = present === undefined || "blockedBy" in present ? undefined : present.id;
        const { reason, differences, byHand } = judged;
        const changed = expected !== undefined;
        conflicts.push({ path, reason, found, expected, differences, changed, byHand });
      }
    }
  }

  for (const relative of leaving) {
    const path = fullPath(directory, relative);
    const present = snapshot.at.get(path);
    // Where a folder took its place, our file is gone.
    if (present === undefined || "blockedBy" in present || kindOf(present) === "folder") continue;
    const ours = present.id === owned[relative] || known.unsaved.get(relative) === present.id;
    if (kindOf(present) === "file" && ours && !madeExecutable(request, relative, present)) {
      changes.set(path, null);
      continue;
    }
    if (!Object.hasOwn(owned, relative)) continue;
    const to = movesTo(request, relative);
    const moved = to === undefined ? request.movedAs?.[relative] : files[to];
    const bytes = moved === undefined ? undefined : known.contents.get(present.id);
    if (moved === undefined || kindOf(present) !== "file") kept.push(relative);
    else if (bytes === undefined) unread.push(present.id);
    else {
      const { same, differences } =
        "tooLarge" in bytes
          ? { same: false, differences: [] }
          : known.compare(to ?? relative, bytes.toString("utf8"), moved);
      const byMode = same && madeExecutable(request, relative, present);
      // Taken into what is wanted, the change goes with the move; a mode does not.
      if (same && !byMode) changes.set(path, null);
      // Ours is in the new place, and what others made of it here may be followed by them.
      else if (request.drift === "restore" || to === undefined) kept.push(relative);
      else
        conflicts.push(
          leftBehind({ path, to: fullPath(directory, to) }, present.id, owned[relative], {
            differences,
            byMode,
          }),
        );
    }
  }
  const waiting = keepWaiting(request, snapshot, changes, known.arrivingIn);
  const remade = allGone && Object.keys(owned).some((path) => Object.hasOwn(files, path));
  return { changes, blobs, adopted, executable, kept: kept.sort(), remade, waiting, conflicts, unread };
}

/** The conflict of a file that someone changed, or only gave another mode, where it moves from. Paths from the root. */
export function leftBehind(
  { path, to }: { readonly path: string; readonly to: string },
  found: ObjectId,
  expected: ObjectId | undefined,
  { differences, byMode = false }: { readonly differences: readonly string[]; readonly byMode?: boolean },
): Conflict {
  const did = byMode ? "made it executable" : "changed it";
  const reason = `someone ${did} after this stack wrote it, and the move to ${to} would leave that behind`;
  return { path, reason, found, expected, differences, changed: true, byHand: false };
}

/** Where a file of a folder that is left goes with the move, from the directory; undefined where it does not move. */
function movesTo({ directory, files, followed = [] }: Asked, relative: string): string | undefined {
  const path = fullPath(directory, relative);
  const { left, fresh } = moveOf(fullPaths(directory, followed), fullPaths(directory, Object.keys(files)));
  if (!left.some((folder) => isInside(path, folder))) return undefined;
  const to = namesake(path, fresh);
  return to === undefined ? undefined : pathBelow(directory, to);
}

/** Takes out of `changes` what must not leave its folder before whoever follows that. */
function keepWaiting(
  { directory, files, followed = [], side }: Asked,
  snapshot: Snapshot,
  changes: Map<string, ObjectId | null>,
  arrivingIn: Known["arrivingIn"],
): Waiting | undefined {
  const leaving = [...changes].flatMap(([path, blob]) => (blob === null ? [path] : []));
  if (leaving.length === 0 || followed.length === 0) return undefined;
  const wanted = fullPaths(directory, Object.keys(files));
  const ours = new Set([...leaving, ...wanted]);
  const shared = vacatedFolders(fullPaths(directory, followed), wanted).flatMap((folder) => {
    const beside = othersIn(snapshot, folder, ours) ?? arrivingIn?.(folder);
    return beside === undefined && side === undefined ? [] : [{ folder, beside }];
  });
  const stillFollowed = new Set(wanted.map(folderOf));
  const blobs: Record<string, ObjectId> = {};
  for (const path of leaving) {
    const present = snapshot.at.get(path);
    const waits = shared.some(({ folder }) => isInside(path, folder)) && !stillFollowed.has(folderOf(path));
    if (!waits || present === undefined || "blockedBy" in present) continue;
    changes.delete(path);
    blobs[path] = present.id;
  }
  const [first] = shared.filter(({ folder }) => Object.keys(blobs).some((path) => isInside(path, folder)));
  return first && { ...first, blobs };
}

type Judgement =
  | { readonly verdict: "write" | "leave" }
  | { readonly verdict: "adopt" | "read"; readonly blob: ObjectId }
  | Refusal;

interface Refusal {
  readonly verdict: "refuse";
  readonly reason: string;
  readonly differences: readonly string[];
  readonly byHand: boolean;
}

interface Question {
  readonly request: Asked;
  /** Path below the directory. */
  readonly relative: string;
  readonly present: Entry | Blocked | undefined;
  readonly wanted: ObjectId;
  /** Blob that was left there last; undefined where this caller wrote nothing. */
  readonly expected: ObjectId | undefined;
  readonly allGone: boolean;
  readonly known: Known;
}

/** What to do about one wanted file. */
function judge({ request, relative, present, wanted, expected, allGone, known }: Question): Judgement {
  const restore = request.drift === "restore";
  if (present === undefined) {
    return expected === undefined || allGone || restore || known.deleted.has(relative)
      ? { verdict: "write" }
      : refused(`someone deleted it; blob ${short(expected)} was written there last`);
  }
  if ("blockedBy" in present) {
    return inTheWay(`${toText(present.blockedBy)} is a ${kindOf(present.entry)}, where a folder is needed`);
  }
  if (kindOf(present) !== "file") {
    return inTheWay(`a ${kindOf(present)} is there, where a file is to be written`);
  }
  const asLeft = expected !== undefined && (present.id === expected || present.id === wanted);
  if (asLeft && madeExecutable(request, relative, present)) {
    return restore ? { verdict: "write" } : refused("someone made it executable after this stack wrote it");
  }
  if (present.id === wanted) return { verdict: "leave" };
  if (present.id === expected) {
    if (known.takenBack.has(relative) && !restore) {
      return refused("someone took back what this stack wrote there, in a run that could not save its state");
    }
    // What was once taken over with other bytes stays as it is until the fleet asks for something else.
    return request.adopted?.[relative] === wanted
      ? { verdict: "adopt", blob: present.id }
      : { verdict: "write" };
  }
  if (known.unsaved.get(relative) === present.id) return { verdict: "write" };
  const bytes = known.contents.get(present.id);
  if (bytes === undefined) return { verdict: "read", blob: present.id };
  return "tooLarge" in bytes
    ? inTheWay(
        `something else is there, of ${sizeText(bytes.tooLarge)}: too large to compare, so it is left as it is`,
      )
    : judgeContent(request, relative, bytes, present.id, expected, known.compare);
}

/** Whether someone gave a file of ours the mode of a program, which it did not have when it was left. */
function madeExecutable({ executable }: Asked, relative: string, present: Entry): boolean {
  return isExecutable(present) && executable?.includes(relative) !== true;
}

/** What to do about a file that is neither as wanted nor as it was left: its content decides. */
function judgeContent(
  { files, adopt, drift }: Asked,
  relative: string,
  bytes: Buffer,
  blob: ObjectId,
  expected: ObjectId | undefined,
  compare: Compare,
): Judgement {
  const [theirs, ours] = [bytes.toString("utf8"), files[relative] ?? ""];
  if (compareText(relative, theirs, ours).same) return { verdict: "adopt", blob };
  const { same, differences, foreign, unreadable } = compare(relative, theirs, ours);
  if (expected === undefined && unreadable !== undefined) {
    return inTheWay(`it ${unreadable}, so whether it holds objects of others is not known`, differences);
  }
  if (expected === undefined && same) return { verdict: "adopt", blob };
  if (foreign.length > 0) {
    const names = foreign.join(", ");
    return inTheWay(
      `it holds objects that are not of this stack (${names}); move them to a file of their own`,
      differences,
    );
  }
  if (expected === undefined) {
    return adopt === "overwrite"
      ? { verdict: "write" }
      : refused("it is there already, and this stack did not write it", differences);
  }
  if (drift === "restore") return { verdict: "write" };
  const how = same ? "; it means the same, so only comments or formatting differ" : "";
  return refused(`someone changed it after this stack wrote it${how}`, differences);
}

function refused(reason: string, differences: readonly string[] = []): Refusal {
  return { verdict: "refuse", reason, differences, byHand: false };
}

/** What neither drift nor adopt writes over. */
function inTheWay(reason: string, differences: readonly string[] = []): Refusal {
  return { ...refused(reason, differences), byHand: true };
}

function short(id: ObjectId): string {
  return id.slice(0, 10);
}
