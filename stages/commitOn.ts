import type { Fleet } from "../fleet/model.ts";
import {
  type Branches,
  type BranchLine,
  type GitContext,
  GitError,
  type NewCommit,
  personOf,
  type ToldCommit,
} from "../git/index.ts";
import { StageError } from "./stageError.ts";

/** How often a lost race is tried again; each time everything is looked at anew. */
export const attempts = 5;

/** Said after the last of them. */
export function movedTooOften(branch: string): GitError {
  return new GitError(
    "race",
    `Others moved ${branch} each of ${attempts} times. Nothing was changed. Run again when it is quieter.`,
  );
}

/** Who makes a commit, and how: the person in front of it is the author, the fleet file says who commits and signs. */
export async function signatureOf(
  { repository: { commit } }: Fleet,
  git: GitContext,
): Promise<Pick<NewCommit, "author" | "committer" | "signing">> {
  const own = { name: commit.name, email: commit.email };
  return {
    author: (await personOf(git)) ?? own,
    committer: commit.committer ?? own,
    ...(commit.signing && { signing: commit.signing }),
  };
}

/** The branch, which has to be there. */
export async function mustRead(repository: Branches, branch: string, whose: string): Promise<BranchLine> {
  const line = await repository.line(branch);
  if (line !== undefined) return line;
  const { branches } = await repository.refs();
  throw new StageError(
    `There is no branch ${branch}, which ${whose}. Branches there: ${branches.slice(0, 10).join(", ") || "none"}.`,
  );
}

/** The commit of a branch's own line that a hash, or the beginning of one, names. Throws StageError. */
export function commitOn({ branch, line }: BranchLine, text: string): ToldCommit {
  const found = /^[0-9a-f]{7,64}$/.test(text) ? line.filter(({ id }) => id.startsWith(text)) : [];
  const [commit] = found;
  if (commit !== undefined && found.length === 1) return commit;
  const [tip] = line;
  throw new StageError(
    found.length > 1
      ? `${text} begins ${found.length} commits of ${branch}. Give more digits.`
      : `${text} is not a commit of ${branch} itself (what was merged into it does not count). Its newest is ${short(tip.id)}; see git log --first-parent ${branch}.`,
  );
}

export function short(id: string): string {
  return id.slice(0, 10);
}
