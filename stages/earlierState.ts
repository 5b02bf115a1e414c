import type { BranchLine, ToldCommit } from "../git/index.ts";
import { show } from "../values/show.ts";
import { commitOn } from "./commitOn.ts";
import type { Scope } from "./scope.ts";
import { StageError } from "./stageError.ts";
import type { Trace } from "./trace.ts";

/** The commit of a branch's own line to go back to. Throws StageError. */
export function earlierState(
  stage: BranchLine,
  trace: Trace | undefined,
  to: string | undefined,
  { branch, isWhole }: Pick<Scope, "branch" | "isWhole">,
): ToldCommit {
  const { line } = stage;
  if (to !== undefined) return /^[0-9a-f]{7,64}$/.test(to) ? commitOn(stage, to) : asOf(stage, to);
  if (trace === undefined)
    throw new StageError(
      `Nothing was promoted to ${branch}, so say where to go back to: --to COMMIT or TIME.`,
    );
  const before = line[line.findIndex(({ id }) => id === trace.base.commit.id) + 1];
  if (before === undefined)
    throw new StageError(`${branch} has had one state only, so there is nothing to go back to.`);
  if (isWhole && before.tree === line[0].tree)
    throw new StageError(
      `${branch} is as it was before its last promotion already. Say how far to go back: --to COMMIT or TIME; see git log --first-parent ${branch}.`,
    );
  return before;
}

/** The newest commit of that time or before. */
function asOf({ branch, line }: BranchLine, text: string): ToldCommit {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new StageError(
      `--to ${show(text)} is neither a commit nor a time; write a hash, or a time such as 2026-11-03T10:00Z.`,
    );
  const found = line.find((commit) => commit.time * 1000 <= time);
  if (found !== undefined) return found;
  throw new StageError(`${branch} is younger than ${show(text)}. Name a later time, or a commit.`);
}
