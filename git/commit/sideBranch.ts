import { GitError } from "../words/errors.ts";
import type { Scratch, Tip } from "../plumbing/scratch.ts";
import { trailerPrefix } from "../words/trailers.ts";
import type { ObjectId, WriteRequest } from "../words/types.ts";

const treeTrailer = `${trailerPrefix}Side-Tree`;

/** Trailers by which a commit of a side branch is known as ours: an amended one holds another tree than it says. */
export function sideTrailers(tree: ObjectId): Record<string, string> {
  return { [treeTrailer]: tree };
}

/** Rejects with GitError "conflict" where the tip of a side branch was not made by this layer. */
export async function assertOurs(
  scratch: Scratch,
  { url, branch }: Pick<WriteRequest, "url" | "branch">,
  tip: Tip,
): Promise<void> {
  const { stdout } = await scratch.git(["cat-file", "commit", tip.commit]);
  const text = stdout.toString();
  const said = [...text.matchAll(new RegExp(`^${treeTrailer}: ([0-9a-f]+)$`, "gm"))].at(-1)?.[1];
  if (said === tip.tree) return;
  const author = /^author (.*) \d+ [+-]\d+$/m.exec(text)?.[1] ?? "unknown";
  throw new GitError(
    "conflict",
    scratch.session.redact(
      `Side branch ${branch} of ${url}: its last commit ${tip.commit.slice(0, 10)}, by ${author}, is not one of Arcflux. ` +
        `Nothing was written. Merge or close its pull request and delete the branch, or name another side branch, and run again.`,
    ),
  );
}
