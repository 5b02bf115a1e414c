import { fullPath, pathBelow } from "../../values/path.ts";
import { toBytes, toText } from "../words/bytes.ts";
import type { Start } from "./createBranch.ts";
import type { ChangeOrigin } from "../words/errors.ts";
import { historyOf } from "../plumbing/history.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import { requestsOf } from "./member.ts";
import type { Open } from "./member.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { kindOf, objectId } from "../plumbing/tree.ts";
import type { ObjectId, WriteRequest } from "../words/types.ts";

/** What a run of the same caller left on the branch and could not get into its saved state. Paths are below the directory. */
export interface Unsaved {
  /** Path to the blob there. */
  readonly blobs: ReadonlyMap<string, ObjectId>;
  /** Paths it took away. */
  readonly deleted: ReadonlySet<string>;
  /** Paths at which someone went back from what it left to what the saved state names. */
  readonly takenBack: ReadonlySet<string>;
}

export const nothingUnsaved: Unsaved = { blobs: new Map(), deleted: new Set(), takenBack: new Set() };

interface Doubt {
  readonly of: Open;
  readonly relative: string;
  readonly path: string;
  /** What is there; undefined where the file is gone. */
  readonly blob: ObjectId | undefined;
  /** Whether it is ours; where `asSaved`, whether it was the last to be. */
  readonly ours: (by: ChangeOrigin | undefined) => boolean;
  /** Whether what is there is what the saved state names, and this machine noted that more was pushed since. */
  readonly asSaved?: boolean;
}

/**
 * Finds for each member what such runs left. A note of this machine counts where the last commit at the path is of the
 * same stack: content that a person went back to is not ours, though we wrote it once. Without a note, on any machine,
 * a commit counts that says it was made from the very state of this run. The history is looked at only where a file is
 * neither as wanted nor as it was saved, or is one that nobody in this write knows.
 */
export async function findUnsaved(
  scratch: Scratch,
  tip: Start,
  members: readonly Open[],
  snapshot: Snapshot,
): Promise<ReadonlyMap<Open, Unsaved>> {
  const found = new Map(
    members.map((of) => [
      of,
      { blobs: new Map<string, ObjectId>(), deleted: new Set<string>(), takenBack: new Set<string>() },
    ]),
  );
  const doubts = members.flatMap((of) => doubtsOf(of, tip, snapshot));
  if (doubts.length === 0 || tip.history === undefined) return found;
  const afters = requestsOf([...new Set(doubts.map(({ of }) => of))]).map(({ after }) => after);
  const { changes, ageOf } = await historyOf(
    scratch,
    tip.history,
    [...new Set(doubts.map(({ path }) => path))],
    afters,
  );
  for (const { of, relative, path, blob, ours, asSaved = false } of doubts) {
    const by = changes.get(path);
    if (asSaved) {
      const saved = ageOf(of.member.request.after ?? "");
      const age = by && ageOf(by.commit);
      const since = saved !== undefined && age !== undefined && age < saved;
      if (since && !ours(by)) found.get(of)?.takenBack.add(relative);
      continue;
    }
    if (!ours(by)) continue;
    if (blob === undefined) found.get(of)?.deleted.add(relative);
    else found.get(of)?.blobs.set(relative, blob);
  }
  return found;
}

function doubtsOf(of: Open, tip: Start, snapshot: Snapshot): Doubt[] {
  const { request } = of.member;
  const { directory, files, owned, after, provenance, side } = request;
  const spared = request.spared ?? ((): boolean => false);
  const own = provenance && `${provenance.project}/${provenance.stack}`;
  // A side branch is ours alone, and a branch that is not there has no history.
  const judged = own !== undefined && side === undefined && !tip.create;
  const fromThisState = (by: ChangeOrigin | undefined): boolean =>
    after !== undefined && by?.after === after && (own === undefined || by.writer === own);
  const known = new Set([...Object.keys(files), ...Object.keys(owned), ...of.notes.unknown]);
  const doubts: Doubt[] = [];
  for (const relative of known) {
    const path = fullPath(directory, relative);
    const present = snapshot.at.get(path);
    const expected = Object.hasOwn(owned, relative) ? owned[relative] : undefined;
    if (expected === undefined && !Object.hasOwn(files, relative) && spared(path)) continue;
    if (present === undefined) {
      if (expected !== undefined && Object.hasOwn(files, relative))
        doubts.push({ of, relative, path, blob: undefined, ours: fromThisState });
      continue;
    }
    if ("blockedBy" in present || kindOf(present) !== "file") continue;
    const { id: blob } = present;
    const wanted = wantedBlob(request, relative, blob.length);
    if (blob === wanted) continue;
    if (blob === expected) {
      const more = wanted !== undefined && of.notes.at(relative).some((noted) => noted !== blob);
      const ours = (by: ChangeOrigin | undefined): boolean => by?.writer === own;
      if (more && judged) doubts.push({ of, relative, path, blob, ours, asSaved: true });
      continue;
    }
    const noted = of.notes.at(relative).includes(blob);
    if (!noted && expected === undefined) continue;
    const ours = (by: ChangeOrigin | undefined): boolean =>
      fromThisState(by) || (noted && (!judged || by?.writer === own));
    doubts.push({ of, relative, path, blob, ours });
  }
  if (!judged || after === undefined || after === tip.commit || provenance?.resource === undefined)
    return doubts;
  const { resource } = provenance;
  for (const { relative, path, blob } of filesBelow(directory, snapshot)) {
    if (known.has(relative) || spared(path)) continue;
    const ours = (by: ChangeOrigin | undefined): boolean => fromThisState(by) && by?.resource === resource;
    doubts.push({ of, relative, path, blob, ours });
  }
  return doubts;
}

function wantedBlob({ files }: WriteRequest, relative: string, digits: number): ObjectId | undefined {
  const content = Object.hasOwn(files, relative) ? files[relative] : undefined;
  return content === undefined ? undefined : objectId("blob", Buffer.from(content, "utf8"), digits);
}

/** Files of the folders that were read, at the directory and below. */
function filesBelow(
  directory: string,
  { folders }: Snapshot,
): { readonly relative: string; readonly path: string; readonly blob: ObjectId }[] {
  const top = toBytes(directory);
  return [...folders]
    .filter(([folder]) => top === "" || folder === top || folder.startsWith(`${top}/`))
    .flatMap(([folder, entries]) =>
      entries
        .filter((entry) => kindOf(entry) === "file")
        .map(({ name, id }) => {
          const path = toText(folder === "" ? name : `${folder}/${name}`);
          return { path, relative: pathBelow(directory, path), blob: id };
        }),
    );
}
