import { lastChanges } from "./history.ts";
import { locate } from "./locate.ts";
import { noBranches } from "./missingBranch.ts";
import type { TooLarge } from "./objects.ts";
import { fullPath } from "../../values/path.ts";
import { assertReadRequest } from "../words/request.ts";
import { openSession } from "../access/session.ts";
import { isExecutable, kindOf } from "./tree.ts";
import { withScratch } from "./withScratch.ts";
import type { GitContext, ObjectId, ReadRequest, ReadResult } from "../words/types.ts";

/**
 * Looks up the blobs at some paths; undefined when the branch does not exist. Anything that is not a file counts as
 * not there. Rejects with GitError when the repository cannot be reached or read, or shows no branch at all.
 */
export async function readFiles(request: ReadRequest, context: GitContext): Promise<ReadResult | undefined> {
  assertReadRequest(request);
  const session = await openSession(request.url, context);
  return withScratch(session, async (scratch) => {
    const tip = await scratch.fetchTip(request.branch);
    if (tip === undefined) {
      if ((await scratch.branches()).length === 0) throw noBranches(request);
      return undefined;
    }
    const paths = request.paths.map((path) => fullPath(request.directory, path));
    const { at } = await locate(tip.tree, paths, scratch.loadTrees);
    const blobs: Record<string, ObjectId> = {};
    const executable: string[] = [];
    for (const path of request.paths) {
      const entry = at.get(fullPath(request.directory, path));
      if (entry === undefined || "blockedBy" in entry || kindOf(entry) !== "file") continue;
      blobs[path] = entry.id;
      if (isExecutable(entry)) executable.push(path);
    }
    const seen = { commit: tip.commit, blobs, ...(executable.length > 0 && { executable }) };
    if (request.orRevert && paths.length > 0 && Object.keys(blobs).length === 0) {
      const changes = [...(await lastChanges(scratch, request.branch, paths)).values()];
      const reverted = changes.find(({ reverts }) => reverts !== undefined);
      if (reverted !== undefined) return { ...seen, reverted };
    }
    if (request.contentsOf === undefined) return seen;
    const wanted = request.contentsOf(blobs, executable).filter((path) => blobs[path] !== undefined);
    const read = await scratch.readBlobs([...new Set(wanted.map((path) => blobs[path] ?? ""))]);
    const shown = (content: Buffer | TooLarge = Buffer.of()): Buffer =>
      "tooLarge" in content ? Buffer.from(`(${content.tooLarge} bytes that are not shown)`) : content;
    const contents = wanted.map((path) => [path, shown(read.get(blobs[path] ?? ""))] as const);
    return { ...seen, contents: Object.fromEntries(contents) };
  });
}
