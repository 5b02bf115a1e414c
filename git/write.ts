import { backoff } from "./backoff.ts";
import { conflictError } from "./conflict.ts";
import { missingBranch } from "./missingBranch.ts";
import { locate } from "./locate.ts";
import { fullPath, pathsOf, planWrite } from "./plan.ts";
import type { WritePlan } from "./plan.ts";
import { push } from "./push.ts";
import { inTurn } from "./queue.ts";
import { rebuild } from "./rebuild.ts";
import { assertWriteRequest } from "./request.ts";
import type { Scratch } from "./scratch.ts";
import { openSession } from "./session.ts";
import { storeCommit, storeObjects } from "./store.ts";
import { withScratch } from "./withScratch.ts";
import type { GitContext, WriteRequest, WriteResult } from "./types.ts";

/**
 * Makes the branch hold `files` below `directory`, and no file of `owned` that is not in `files` and that nobody
 * changed: one commit, pushed without force, or none when nothing is to change. A lost race is tried again on the new
 * tip. Rejects with GitError; on every kind but "timeout" and "unreachable" during the push itself, the branch does
 * not hold the commit.
 */
export async function writeFiles(request: WriteRequest, context: GitContext): Promise<WriteResult> {
  assertWriteRequest(request);
  return inTurn(`${request.url}\n${request.branch}`, async () => {
    const session = await openSession(request.url, context);
    return withScratch(session, (scratch) => writeWith(scratch, request));
  });
}

async function writeWith(scratch: Scratch, request: WriteRequest): Promise<WriteResult> {
  const { session } = scratch;
  let pushed: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const tip = await scratch.fetchTip(request.branch);
    if (tip === undefined) throw await missingBranch(scratch, request);
    const snapshot = await locate(tip.tree, pathsOf(request), scratch.loadTrees);
    const plan = planWrite(request, snapshot);
    if (plan.conflicts.length > 0) throw conflictError(request, plan.conflicts);
    const { blobs, kept } = plan;
    if (plan.changes.size === 0) {
      // Reported as lost and yet there: the push was ours.
      const kind = tip.commit === pushed ? "committed" : "unchanged";
      return { kind, commit: tip.commit, blobs, kept, attempts: attempt - 1 };
    }
    const rebuilt = rebuild(snapshot, plan.changes);
    await storeObjects(scratch, changedContents(request, plan), rebuilt.trees);
    pushed = await storeCommit(scratch, rebuilt.root, tip.commit, request);
    const failure = await push(scratch, pushed, request.branch);
    if (failure === undefined)
      return { kind: "committed", commit: pushed, blobs, kept, attempts: attempt };
    if (failure.kind !== "race" || attempt >= session.maxAttempts) {
      const tries = attempt === 1 ? "" : ` (attempt ${attempt})`;
      throw session.failure(`The push to branch ${request.branch} of ${request.url} failed${tries}`, failure);
    }
    session.assertAlive();
    await session.sleep(backoff(attempt, session.random));
  }
}

/** Contents of the files that the plan puts on the branch. */
function changedContents({ directory, files }: WriteRequest, { changes }: WritePlan): Buffer[] {
  return Object.entries(files)
    .filter(([path]) => changes.has(fullPath(directory, path)))
    .map(([, content]) => Buffer.from(content, "utf8"));
}
