import { noBranches } from "../plumbing/missingBranch.ts";
import { assertWriteRequest } from "../words/request.ts";
import { openSession } from "../access/session.ts";
import { withScratch } from "../plumbing/withScratch.ts";
import type { GitContext, ObjectId, WriteRequest } from "../words/types.ts";
import type { WritePlan } from "./plan.ts";
import { planOnTip } from "./planOnTip.ts";
import { scratchSource } from "./planSource.ts";

/** What a write would change on the newest commit of its branch. Changes nothing; undefined where there is no such branch. */
export async function planFiles(
  request: WriteRequest,
  context: GitContext,
): Promise<{ readonly commit: ObjectId; readonly plan: WritePlan } | undefined> {
  assertWriteRequest(request);
  const session = await openSession(request.url, context);
  return withScratch(session, async (scratch) => {
    const tip = await scratch.fetchTip(request.branch);
    if (tip === undefined) {
      if ((await scratch.branches()).length === 0) throw noBranches(request);
      return undefined;
    }
    const one = { asked: request, compare: context.compare };
    const plan = (await planOnTip(scratchSource(scratch, request.branch), { tree: tip.tree }, [one])).get(
      one,
    );
    if (plan === undefined) throw new Error("a request without a plan");
    return { commit: tip.commit, plan };
  });
}
