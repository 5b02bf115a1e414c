import { GitError } from "./errors.ts";
import type { Scratch } from "./scratch.ts";
import type { Branch } from "./types.ts";

const shown = 10;

/** The error for a branch that does not exist, naming those that do. No other branch is ever taken instead. */
export async function missingBranch(scratch: Scratch, { url, branch }: Branch): Promise<GitError> {
  const names = await scratch.branches();
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  const there =
    names.length === 0
      ? "The repository is empty: push a first commit to that branch"
      : `Branches there: ${names.slice(0, shown).join(", ")}${more}. Create the branch, or name one of these`;
  return new GitError("missingBranch", `${url} has no branch ${branch}. ${there}, and run again.`);
}
