import { printable } from "../../values/show.ts";
import { partsOf } from "./ownership.ts";
import { GitError } from "../words/errors.ts";
import type { ChangeOrigin, Conflict, ConflictKind } from "../words/errors.ts";
import type { WriteRequest } from "../words/types.ts";

const shownDifferences = 20;

type Asked = Pick<WriteRequest, "url" | "branch" | "owner" | "before">;

/** One error for every path in conflict, with the way on. `searched`: how many commits were looked through for who did it. */
export function conflictError(asked: Asked, conflicts: readonly Conflict[], searched?: number): GitError {
  const { cluster } = partsOf(asked.owner);
  const lines = [
    `${cluster}: nothing was written to branch ${asked.branch} of ${asked.url}.`,
    ...conflicts.flatMap((conflict) => describe(conflict, searched)),
    ...waysOn(asked, conflicts),
  ];
  return new GitError("conflict", lines.join("\n"), conflicts);
}

/** A conflict as a person reads it: the place, what is wrong there, who did it, and the fields that differ. */
export function describe(
  { kind, path, reason, differences = [], by }: Conflict,
  searched?: number,
): string[] {
  const more = differences.length - shownDifferences;
  const isFound = by !== undefined || searched === undefined || !byCommit.has(kind);
  return [
    `  ${printable(path)}: ${printable(reason)}`,
    ...(by === undefined ? [] : [`    by ${origin(by)}`]),
    ...(isFound ? [] : [`    by a commit that is not among the last ${searched} of the branch`]),
    ...(differences.length > 0 ? ["    there -> to be written:"] : []),
    ...differences.slice(0, shownDifferences).map((line) => `      ${printable(line)}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

/** Kinds that a commit made, so that it is worth naming. */
export const byCommit: ReadonlySet<ConflictKind> = new Set<ConflictKind>([
  ...(["changed", "setBack", "exists", "inTheWay", "ahead", "unreadable", "leftBehind", "moved"] as const),
]);

function origin({ commit, author, date, subject }: ChangeOrigin): string {
  return `commit ${commit.slice(0, 10)} of ${author}, ${date}: ${subject}`;
}

/** The next step for each kind of conflict that there is. */
function waysOn(asked: Asked, conflicts: readonly Conflict[]): string[] {
  const kinds = Map.groupBy(conflicts, ({ kind }) => kind);
  return [...kinds].map(([kind, some]) => wayOn(kind, asked, some));
}

function wayOn(kind: ConflictKind, { owner, branch, before }: Asked, conflicts: readonly Conflict[]): string {
  const { stack, cluster } = partsOf(owner);
  const [{ path } = { path: "" }] = conflicts;
  switch (kind) {
    case "changed":
    case "leftBehind":
      return (
        `Take the change into the fleet file, so that both say the same; or revert the commit that made it; or set stack ` +
        `config arcflux:drift restore (drift: "restore") to put ours back. Then run again.`
      );
    case "setBack":
      return (
        `Someone reverted it or set the branch back. Take what was reverted out of the fleet file; or set stack config ` +
        `arcflux:drift restore (drift: "restore") to write ours again. Then run again.`
      );
    case "exists":
      return (
        `Take it into the fleet file, so that both say the same; or move the file out of the folder; or set stack config ` +
        `arcflux:adopt overwrite (adopt: "overwrite") to write over it. Then run again.`
      );
    case "inTheWay":
      return `What is there is never written over: move it out of the way in Git. Then run again.`;
    case "owner":
      return (
        `Same cluster, new name: write \`formerly: <old name>\` at ${cluster} in the fleet file. From another stack: set stack ` +
        `config arcflux:takeFrom PROJECT/STACK for one update. Otherwise give ${cluster} another folder (two that swap go by a third).`
      );
    case "unreadable":
      return `Bring it back from the history of ${branch} (git log -- ${path}), and run again.`;
    case "ahead": {
      const since = before?.commit === undefined ? "" : `${before.commit.slice(0, 10)}..`;
      return (
        `The state may be a restored backup, or another copy of this stack goes on. See what came since: git log ` +
        `${since}${branch} -- ${path}. If this stack is to go on from there, set stack config arcflux:takeFrom ${stack} for one update.`
      );
    }
    case "lost":
      return `Then run again, and the move goes on.`;
    case "nested":
      return `Move ${cluster} to a third folder first, which lies in neither; or leave it where it is.`;
    case "moved":
      return `The repository moved since the preview; run again.`;
    case "rolledBack":
      return `Change the fleet file to what ${cluster} runs, or to something newer, and run again.`;
  }
}
