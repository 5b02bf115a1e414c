import type { Conflict } from "./errors.ts";
import type { Blocked, Snapshot } from "./locate.ts";
import { kindOf, objectId, toText } from "./tree.ts";
import type { Entry } from "./tree.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** What has to change on the branch for a request, or why it must not. */
export interface WritePlan {
  /** Path from the root to the blob to put there; null takes the file away. */
  readonly changes: ReadonlyMap<string, ObjectId | null>;
  /** Path below the directory to the blob there afterwards. */
  readonly blobs: Readonly<Record<string, ObjectId>>;
  /** Paths below the directory that were to be deleted and stay, since someone changed them. */
  readonly kept: readonly string[];
  readonly conflicts: readonly Conflict[];
}

/** Path from the root of the repository. */
export function fullPath(directory: string, path: string): string {
  return directory === "" ? path : `${directory}/${path}`;
}

/** Every path a request has a say about, from the root. */
export function pathsOf({
  directory,
  files,
  owned,
}: Pick<WriteRequest, "directory" | "files" | "owned">): string[] {
  return [...new Set([...Object.keys(files), ...Object.keys(owned)])].map((path) =>
    fullPath(directory, path),
  );
}

/** Decides by blob ids alone: no content of the branch is needed. */
export function planWrite(
  request: Pick<WriteRequest, "directory" | "files" | "owned">,
  snapshot: Snapshot,
): WritePlan {
  const { directory, files, owned } = request;
  const changes = new Map<string, ObjectId | null>();
  const blobs: Record<string, ObjectId> = {};
  const kept: string[] = [];
  const conflicts: Conflict[] = [];
  // With nothing of it left, the whole folder was taken away, and putting it back is what is asked for.
  const allGone = pathsOf(request).every((path) => !snapshot.at.has(path));

  for (const [relative, content] of Object.entries(files)) {
    const path = fullPath(directory, relative);
    const wanted = objectId("blob", Buffer.from(content, "utf8"), snapshot.root.length);
    const expected = Object.hasOwn(owned, relative) ? owned[relative] : undefined;
    blobs[relative] = wanted;
    const present = snapshot.at.get(path);
    const reason =
      present === undefined
        ? expected === undefined || allGone
          ? undefined
          : `someone deleted it; blob ${short(expected)} was written there last`
        : whyNot(present, wanted, expected);
    if (reason !== undefined) {
      const found = present === undefined || "blockedBy" in present ? undefined : present.id;
      conflicts.push({ path, reason, found, expected });
    } else if (present === undefined || "blockedBy" in present || present.id !== wanted)
      changes.set(path, wanted);
  }

  for (const [relative, expected] of Object.entries(owned)) {
    if (Object.hasOwn(files, relative)) continue;
    const path = fullPath(directory, relative);
    const present = snapshot.at.get(path);
    // Where a folder took its place, our file is gone.
    if (present === undefined || "blockedBy" in present || kindOf(present) === "folder") continue;
    if (kindOf(present) === "file" && present.id === expected) changes.set(path, null);
    else kept.push(relative);
  }
  return { changes, blobs, kept: kept.sort(), conflicts };
}

/** Why a wanted file may not go where something is; undefined when it may. */
function whyNot(
  present: Entry | Blocked,
  wanted: ObjectId,
  expected: ObjectId | undefined,
): string | undefined {
  if ("blockedBy" in present) {
    return `${toText(present.blockedBy)} is a ${kindOf(present.entry)}, where a folder is needed`;
  }
  if (kindOf(present) !== "file") return `a ${kindOf(present)} is there, where a file is to be written`;
  if (present.id === wanted || present.id === expected) return undefined;
  return expected === undefined
    ? `it is there already and this stack did not write it; blob ${short(present.id)} is there, ${short(wanted)} is to be written`
    : `someone changed it; blob ${short(present.id)} is there, ${short(expected)} was written there last`;
}

function short(id: ObjectId): string {
  return id.slice(0, 10);
}
