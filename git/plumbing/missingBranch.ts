import { GitError } from "../words/errors.ts";
import type { Scratch } from "./scratch.ts";
import type { Branch } from "../words/types.ts";

const shown = 10;

/**
 * The error for a repository without any branch. It is of a kind of its own: an empty answer, as of a login page or a
 * proxy, looks the same to git, and must never count as files that are gone.
 */
export function noBranches({ url, branch }: Branch): GitError {
  return new GitError(
    "noBranches",
    `${url} shows no branch at all, so neither ${branch}. Either the repository is empty: push a first commit to that ` +
      `branch. Or what answers there is not the repository, but a proxy or a login page: correct the URL. Then run again.`,
  );
}

/** The error for a branch that does not exist, naming those that do. No other branch is ever taken instead. */
export async function missingBranch(scratch: Scratch, branch: Branch): Promise<GitError> {
  return branchMissing(branch, await scratch.branches());
}

/** The same where the names of those that do are known. */
export function branchMissing({ url, branch }: Branch, names: readonly string[]): GitError {
  if (names.length === 0) return noBranches({ url, branch });
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  const there = `Branches there: ${names.slice(0, shown).join(", ")}${more}. Create the branch, or name one of these`;
  return new GitError("missingBranch", `${url} has no branch ${branch}. ${there}, and run again.`);
}
