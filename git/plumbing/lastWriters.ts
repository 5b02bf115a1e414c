import { fullPath } from "../../values/path.ts";
import type { ChangeOrigin } from "../words/errors.ts";
import { lastChanges } from "./history.ts";
import { assertReadRequest } from "../words/request.ts";
import { openSession } from "../access/session.ts";
import { withScratch } from "./withScratch.ts";
import type { GitContext, ReadRequest } from "../words/types.ts";

/**
 * The commits that last changed some paths, by path below the directory; one that is not among the branch's newest
 * commits is absent. Reads only. Rejects with GitError when the repository cannot be read.
 */
export async function lastWriters(
  request: ReadRequest,
  context: GitContext,
): Promise<ReadonlyMap<string, ChangeOrigin>> {
  assertReadRequest(request);
  const { url, branch, directory, paths } = request;
  const session = await openSession(url, context);
  return withScratch(session, async (scratch) => {
    const changes = await lastChanges(
      scratch,
      branch,
      paths.map((path) => fullPath(directory, path)),
    );
    return new Map(
      paths.flatMap((path) => {
        const change = changes.get(fullPath(directory, path));
        return change === undefined ? [] : [[path, change] as const];
      }),
    );
  });
}
