import { printable } from "../../values/show.ts";
import { GitError } from "../words/errors.ts";
import type { ChangeOrigin, Conflict } from "../words/errors.ts";
import type { Branch } from "../words/types.ts";

const shownDifferences = 20;

/**
 * One error for every path in conflict, with the ways on. `searched`: how many commits were looked through for who did it;
 * `own`: project and stack of the caller.
 */
export function conflictError(
  { url, branch }: Branch,
  conflicts: readonly Conflict[],
  searched?: number,
  own?: string,
): GitError {
  const count =
    conflicts.length === 1
      ? "1 path is not as this stack left it"
      : `${conflicts.length} paths are not as this stack left them`;
  const lines = [
    `Branch ${branch} of ${url}: ${count}, so nothing was written.`,
    ...conflicts.flatMap((conflict) => describe(conflict, searched, own)),
    ...waysOn(branch, conflicts, own),
  ];
  return new GitError("conflict", lines.join("\n"), conflicts);
}

function describe(
  { path, reason, differences = [], found, changed, by }: Conflict,
  searched: number | undefined,
  own: string | undefined,
): string[] {
  const more = differences.length - shownDifferences;
  return [
    `  ${printable(path)}: ${printable(reason)}`,
    ...(by === undefined ? [] : [isSetBack(by, own) ? setBack(by) : `    by ${origin(by)}`]),
    ...(by === undefined && searched !== undefined && (found !== undefined || changed)
      ? [`    by a commit that is not among the last ${searched} of the branch`]
      : []),
    ...(differences.length > 0 ? ["    there -> to be written:"] : []),
    ...differences.slice(0, shownDifferences).map((line) => `      ${printable(line)}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

/** Whether what is there is an older state of our own: then nobody changed the file, and the history was rewritten. */
function isSetBack(by: ChangeOrigin | undefined, own: string | undefined): boolean {
  return own !== undefined && by?.writer === own;
}

function setBack({ commit }: ChangeOrigin): string {
  return `    the branch was set back: it holds what this stack wrote in commit ${commit.slice(0, 10)}, and not what it wrote last`;
}

function origin({ commit, author, date, subject }: ChangeOrigin): string {
  return `commit ${commit.slice(0, 10)} of ${author}, ${date}: ${subject}`;
}

function waysOn(branch: string, conflicts: readonly Conflict[], own: string | undefined): string[] {
  const open = conflicts.filter(({ byHand }) => byHand !== true);
  if (open.length === 0) {
    return [`What is there is never written over: move it out of the way in Git. Then run again.`];
  }
  const ways = open.some(({ by }) => by?.reverts !== undefined)
    ? [`drop from the fleet file what was reverted`]
    : [`take the change into the fleet file, so that both say the same`];
  if (open.some(({ by }) => by !== undefined && !isSetBack(by, own))) {
    ways.push(`revert the commit that made it (git log ${branch} -- PATH shows it)`);
  }
  if (open.some(({ found }) => found !== undefined)) ways.push(`move the file out of the folder`);
  if (open.some(({ changed }) => changed))
    ways.push(`set drift: "restore" to put ours back (stack config arcflux:drift)`);
  if (open.some(({ changed }) => !changed))
    ways.push(`set adopt: "overwrite" to write over it (stack config arcflux:adopt)`);
  return [`Ways on: ${ways.join("; or ")}. Then run again.`];
}
