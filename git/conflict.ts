import { GitError } from "./errors.ts";
import type { ChangeOrigin, Conflict } from "./errors.ts";
import type { Branch } from "./types.ts";

const shownDifferences = 20;

/** One error for every path in conflict, with the ways on. `searched`: how many commits were looked through for who did it. */
export function conflictError(
  { url, branch }: Branch,
  conflicts: readonly Conflict[],
  searched?: number,
): GitError {
  const count = conflicts.length === 1 ? "1 path is" : `${conflicts.length} paths are`;
  const lines = [
    `Branch ${branch} of ${url}: ${count} not as this stack left them, so nothing was written.`,
    ...conflicts.flatMap((conflict) => describe(conflict, searched)),
    ...waysOn(branch, conflicts),
  ];
  return new GitError("conflict", lines.join("\n"), conflicts);
}

function describe(
  { path, reason, differences = [], found, changed, by }: Conflict,
  searched: number | undefined,
): string[] {
  const more = differences.length - shownDifferences;
  return [
    `  ${path}: ${reason}`,
    ...(by === undefined ? [] : [`    by ${origin(by)}`]),
    ...(by === undefined && searched !== undefined && (found !== undefined || changed)
      ? [`    by a commit that is not among the last ${searched} of the branch`]
      : []),
    ...(differences.length > 0 ? ["    there -> to be written:"] : []),
    ...differences.slice(0, shownDifferences).map((line) => `      ${line}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

function origin({ commit, author, date, subject }: ChangeOrigin): string {
  return `commit ${commit.slice(0, 10)} of ${author}, ${date}: ${subject}`;
}

function waysOn(branch: string, conflicts: readonly Conflict[]): string[] {
  const ways = [
    `take the change into the fleet file, so that both say the same`,
    `revert the commit that made it (git log ${branch} -- PATH shows it)`,
    `move the file out of the folder`,
  ];
  const open = conflicts.filter(({ byHand }) => byHand !== true);
  if (open.length === 0)
    return [`What is there is never written over: move it out of the way in Git. Then run again.`];
  if (open.some(({ changed }) => changed)) ways.push(`set drift: "restore" to put ours back`);
  if (open.some(({ changed }) => !changed)) ways.push(`set adopt: "overwrite" to write over it`);
  return [`Ways on: ${ways.join("; or ")}. Then run again.`];
}
