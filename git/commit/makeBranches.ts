import type { Failure } from "../access/outcome.ts";
import { openSession } from "../access/session.ts";
import type { Scratch } from "../plumbing/scratch.ts";
import { withScratch } from "../plumbing/withScratch.ts";
import { GitError } from "../words/errors.ts";
import type { GitContext } from "../words/types.ts";
import { defaultBranch } from "./createBranch.ts";
import { push } from "./push.ts";

/** A branch to make, and the one at whose tip it starts. */
export interface NewBranch {
  readonly name: string;
  /** Defaults to the default branch, also where there is none of that name. */
  readonly from?: string | undefined;
}

/**
 * Makes branches at the tip of another one, of the default branch unless it is said. One that is there by then, made by whoever else, stays as it is. Rejects
 * with GitError where the repository has no default branch, or the server refuses.
 */
export async function makeBranches(
  url: string,
  branches: readonly NewBranch[],
  context: GitContext,
): Promise<void> {
  const make = async (scratch: Scratch): Promise<void> => {
    const name = await defaultBranch(scratch);
    const start = name === undefined ? undefined : await scratch.fetchTip(name);
    if (start === undefined) {
      const next = "push a first commit, and run again";
      throw new GitError(
        "missingBranch",
        `${url} has no default branch to start ${branches.map((one) => one.name).join(", ")} from: ${next}.`,
      );
    }
    const there = new Set(await scratch.branches());
    for (const { name: branch, from } of branches.filter((one) => !there.has(one.name))) {
      const tip = from === undefined || !there.has(from) ? start : ((await scratch.fetchTip(from)) ?? start);
      const failure: Failure | undefined = await push(scratch, tip.commit, branch, {
        commit: "",
        create: true,
      });
      if (failure !== undefined && failure.kind !== "race")
        throw scratch.session.failure(`Branch ${branch} of ${url} could not be made`, failure);
    }
  };
  // Over HTTP git walks all folders of a commit that the server has already, before it sees that there is nothing to send.
  await withScratch(await openSession(url, context), make, { folders: "all" });
}
