import type { Branches, ToldCommit } from "../git/index.ts";
import type { Trace } from "./trace.ts";

/** What a rollback took away, and what of that a commit would bring again. */
export interface Again {
  readonly rollback: ToldCommit;
  readonly paths: readonly string[];
}

/** What was taken back on the stage and lies in a commit as it was then. */
export async function comesAgain(
  { rollbacks }: Trace,
  tip: ToldCommit,
  commit: ToldCommit,
  repository: Pick<Branches, "at">,
): Promise<Again[]> {
  const paths = [...new Set(rollbacks.flatMap(({ taken }) => [...taken.keys()]))];
  if (paths.length === 0) return [];
  const now = await repository.at([tip.tree, commit.tree], paths);
  return rollbacks.flatMap(({ commit: rollback, taken }) => {
    const again = [...taken].flatMap(([path, blobs]) => {
      const [has, comes] = now.get(path) ?? [];
      return has !== comes && blobs.has(comes) ? [path] : [];
    });
    return again.length === 0 ? [] : [{ rollback, paths: again.sort() }];
  });
}
