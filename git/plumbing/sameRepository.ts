import { readFiles } from "./read.ts";
import type { Branch, GitContext } from "../words/types.ts";

/**
 * Whether two URLs lead to one repository, as far as can be told from outside: a branch that has the same tip on both.
 * A mirror that is up to date counts as the same. Reads only. Rejects with GitError when either cannot be read.
 */
export async function sameRepository(one: Branch, otherUrl: string, context: GitContext): Promise<boolean> {
  const tip = async (url: string): Promise<string | undefined> =>
    (await readFiles({ url, branch: one.branch, directory: "", paths: [] }, context))?.commit;
  // Others may push in between: only a tip that stayed where it was says that the two differ.
  for (let round = 0; round < 5; round += 1) {
    const before = await tip(one.url);
    const other = await tip(otherUrl);
    if (before !== undefined && before === other) return true;
    if (before === (await tip(one.url))) return false;
  }
  return true;
}
