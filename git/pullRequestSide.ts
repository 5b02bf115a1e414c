import { GitError } from "./errors.ts";
import type { Scratch, Tip } from "./scratch.ts";
import { trailerPrefix } from "./trailers.ts";
import type { ObjectId, WriteRequest } from "./types.ts";

/** Makes a write one to a side branch: it starts from the base, and nobody else may commit to it. */
export interface SideBranch {
  /** Branch that the side branch is to be merged into. */
  readonly base: string;
  /** Whether the pull request of that tip is over, so that the next one starts from the base. */
  readonly supersedes: (tip: ObjectId) => boolean;
}

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
