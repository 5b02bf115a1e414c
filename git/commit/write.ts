import { join } from "node:path";
import { branchKey } from "../words/branchKey.ts";
import { gitCacheFolder } from "../plumbing/cacheFolder.ts";
import { sweepCache } from "../plumbing/cacheSweep.ts";
import { gather } from "./gather.ts";
import type { Lobby } from "./gather.ts";
import { withMachineLock } from "../plumbing/machineLock.ts";
import { assertWriteRequest } from "../words/request.ts";
import { openSession } from "../access/session.ts";
import { withScratch } from "../plumbing/withScratch.ts";
import { GroupWrite } from "./writeGroup.ts";
import type { Member } from "./member.ts";
import type { GitContext, WriteRequest, WriteResult } from "../words/types.ts";

const lockWait = 120_000;

/**
 * Makes the branch hold `files` below `directory`, and nothing else of what the owner's inventory lists and nobody
 * changed: one commit, pushed without force, or none when nothing is to change. Writes to one branch that come at about
 * the same time share a push; what goes wrong with one of them does not touch the others. A lost race is tried again on
 * the new tip. Rejects with GitError; on every kind but "timeout" and "unreachable" during the push itself, the branch
 * does not hold the commit.
 */
export async function writeFiles(request: WriteRequest, context: GitContext): Promise<WriteResult> {
  assertWriteRequest(request);
  return new Promise((resolve, reject) => {
    gather(branchKey(request), { request, context, resolve, reject }, goTogether, writeTogether);
  });
}

/** One session serves a group, so its members agree on all that a session and a push are made from. */
function goTogether(first: Member, other: Member): boolean {
  return (
    first.context === other.context &&
    first.request.url === other.request.url &&
    first.request.delivery?.createBranch === other.request.delivery?.createBranch &&
    first.request.side?.base === other.request.side?.base
  );
}

/** Settles everyone in the lobby, once nothing of the work is left behind. */
async function writeTogether(lobby: Lobby<Member>): Promise<void> {
  const settled: (() => void)[] = [];
  try {
    const [first] = lobby.waiting();
    if (first === undefined) return;
    const { request, context } = first;
    const session = await openSession(request.url, context);
    const cache = context.cacheRoot ?? gitCacheFolder(context.env);
    const folder = join(cache, branchKey(request));
    const options = { wait: context.timeouts?.lock ?? lockWait, assertAlive: session.assertAlive };
    await withMachineLock(join(folder, "lock"), options, async () => {
      const group = new GroupWrite(lobby, (settle) => settled.push(settle));
      await withScratch(session, (scratch) => group.writeWith(scratch));
    });
    await sweepCache(cache);
  } catch (error) {
    // After those that were settled before: for them this comes too late, as it should.
    for (const { reject } of await lobby.close()) settled.push(() => reject(error));
  }
  for (const settle of settled) settle();
}
