import { fullPath, fullPaths, isInside } from "../../values/path.ts";
import { buildChain } from "./chain.ts";
import type { Step } from "./chain.ts";
import { compareText, totally } from "../../values/compareText.ts";
import type { Start } from "./createBranch.ts";
import { GitError } from "../words/errors.ts";
import { lastChanges } from "../plumbing/history.ts";
import { locate } from "../plumbing/locate.ts";
import type { Snapshot } from "../plumbing/locate.ts";
import { requestsOf } from "./member.ts";
import type { Open } from "./member.ts";
import type { TooLarge } from "../plumbing/objects.ts";
import { nothingLeft, pathsOf, planWrite } from "./plan.ts";
import type { Known, WritePlan } from "./plan.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import type { ObjectId } from "../words/types.ts";
import { findUnsaved, nothingUnsaved } from "./unsaved.ts";

/** What becomes of some members on a tip. */
export interface Prepared {
  readonly plans: ReadonlyMap<Open, WritePlan>;
  /** The commits to push, a chain on the tip. */
  readonly steps: readonly (Step & { readonly of: Open; readonly plan: WritePlan })[];
  /** Why there is no commit for a member that changes something. */
  readonly unsigned: ReadonlyMap<Open, GitError>;
}

/** Plans all members on the tip, and makes the commits of those that change something. */
export async function prepare(scratch: Scratch, tip: Start, members: readonly Open[]): Promise<Prepared> {
  const plans = await planAll(scratch, tip, members);
  const changing = [...plans].flatMap(([of, plan]) => {
    const creates = tip.create && Object.keys(of.member.request.files).length > 0;
    return plan.conflicts.length === 0 && (plan.changes.size > 0 || creates) ? [{ of, plan }] : [];
  });
  for (const { of, plan } of changing) await of.notes.add(plan.blobs);
  const parts = changing.map(({ of, plan }) => ({ request: of.member.request, changes: plan.changes }));
  const steps: Prepared["steps"][number][] = [];
  const unsigned = new Map<Open, GitError>();
  for (const [index, made] of (await buildChain(scratch, tip, parts)).entries()) {
    const part = changing[index];
    if (part === undefined) continue;
    if (made instanceof GitError) unsigned.set(part.of, made);
    else steps.push({ ...made, ...part });
  }
  return { plans, steps, unsigned };
}

async function planAll(
  scratch: Scratch,
  tip: Start,
  members: readonly Open[],
): Promise<Map<Open, WritePlan>> {
  const paths = members.flatMap(({ member: { request }, notes }) => [
    ...pathsOf(request),
    ...fullPaths(request.directory, notes.unknown),
  ]);
  const unsaved = await findUnsaved(scratch, tip, members, await locate(tip.tree, paths, scratch.loadTrees));
  // Files among these that nobody asked about lie in folders that are here by now.
  const more = [...unsaved].flatMap(([{ member }, { blobs }]) =>
    [...blobs.keys()].map((path) => fullPath(member.request.directory, path)),
  );
  const snapshot = await locate(tip.tree, [...paths, ...more], scratch.loadTrees);
  const reverted = await revertedOf(scratch, tip, members, snapshot);
  const plan = (contents: Known["contents"]): Map<Open, WritePlan> =>
    new Map(
      members.map((open) => {
        const { request, context } = open.member;
        const compare = totally(context.compare ?? compareText);
        const { blobs, ...seen } = unsaved.get(open) ?? nothingUnsaved;
        const also = { reverted: reverted.has(open), arrivingIn: arrivingIn(members, open), ...seen };
        const known = { contents, compare, unsaved: blobs, ...also };
        return [open, planWrite(request, snapshot, known)];
      }),
    );
  const first = plan(new Map());
  const unread = new Set([...first.values()].flatMap((one) => one.unread));
  const contents =
    unread.size === 0 ? new Map<ObjectId, Buffer | TooLarge>() : await scratch.readBlobs([...unread]);
  return unread.size === 0 ? first : plan(contents);
}

/**
 * What the others of a group bring to a folder: plans are made on one tip, so that none sees in it what another does. Looked
 * for only where a folder is left.
 */
function arrivingIn(members: readonly Open[], open: Open): (folder: string) => string | undefined {
  return (folder) => {
    for (const { request } of members.filter((other) => other !== open).map(({ member }) => member)) {
      const paths = fullPaths(request.directory, Object.keys(request.files));
      const found = paths.find((path) => isInside(path, folder));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Those whose files were all taken away by a revert. Rarely asked: only then is the history looked at. */
async function revertedOf(
  scratch: Scratch,
  { history }: Start,
  members: readonly Open[],
  snapshot: Snapshot,
): Promise<ReadonlySet<Open>> {
  const gone = requestsOf(members).flatMap((request) =>
    Object.keys(request.owned).length > 0 && request.drift !== "restore" && nothingLeft(request, snapshot)
      ? fullPaths(request.directory, Object.keys(request.owned))
      : [],
  );
  if (gone.length === 0 || history === undefined) return new Set();
  const changes = await lastChanges(scratch, history, gone);
  const reverts = (path: string): boolean => changes.get(path)?.reverts !== undefined;
  return new Set(
    members.filter(({ member: { request } }) =>
      Object.keys(request.owned).some((path) => reverts(fullPath(request.directory, path))),
    ),
  );
}
