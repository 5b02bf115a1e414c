import { type BranchLine, pickedFrom, stageActOf, type StageAct, type ToldCommit } from "../git/index.ts";
import { defined } from "../values/maps.ts";
import { pullRequestOf } from "./pullRequest.ts";

export type EventKind = "promotion" | "rollback" | "hotfix" | "update" | "merge" | "commit";

/** A commit of a branch that clusters follow: from then on it was what they should run. */
export interface StageEvent {
  /** ISO, to the second. */
  readonly time: string;
  readonly commit: string;
  readonly kind: EventKind;
  /** Whether the commit does not say so itself, and its tree tells: a squash merge, a revert by hand. */
  readonly byTree?: true;
  /** It is a commit of the branch before itself, so it came at that time or later: a fast-forward leaves no trace. */
  readonly forwarded?: true;
  readonly person: string;
  readonly subject: string;
  readonly pullRequest?: string;
  /** Commit that was promoted, restored or taken over. */
  readonly from?: string;
  /** Stage or branch that it came from. */
  readonly after?: string | undefined;
  readonly only?: string | undefined;
  readonly reason?: string | undefined;
  readonly emergency?: string | undefined;
  readonly unverified?: string | undefined;
}

const kinds = {
  promote: "promotion",
  rollback: "rollback",
  hotfix: "hotfix",
} as const satisfies Record<StageAct["operation"], EventKind>;

/**
 * What the commits of a branch were, the newest first. A commit that does not say what it is, is known by the tree that it
 * brings: one that the branch before had, or one that this branch had earlier.
 */
export function eventsOf(line: readonly ToldCommit[], before: BranchLine | undefined): StageEvent[] {
  const ids = new Set(before?.line.map(({ id }) => id));
  // The oldest of a tree is set last, and stays.
  const trees = new Map(before?.line.map((commit) => [commit.tree, commit]));
  const oldest = new Map(line.map((commit, index) => [commit.tree, { commit, index }]));
  return line.map((commit, index): StageEvent => {
    const { id, author, subject, message } = commit;
    const pullRequest = pullRequestOf(message);
    const told = {
      time: isoOf(commit),
      commit: id,
      person: author,
      subject,
      ...(pullRequest !== undefined && { pullRequest }),
    };
    const act = stageActOf(message);
    if (act !== undefined) {
      const { operation, ...rest } = act;
      return { ...told, kind: kinds[operation], ...defined({ ...rest, stage: undefined }) };
    }
    if (ids.has(id)) return { ...told, kind: "promotion", forwarded: true };
    const isUnchanged = line[index + 1]?.tree === commit.tree;
    const source = isUnchanged ? undefined : trees.get(commit.tree);
    if (source !== undefined) return { ...told, kind: "promotion", byTree: true, from: source.id };
    const earlier = oldest.get(commit.tree);
    if (!isUnchanged && earlier !== undefined && earlier.index > index)
      return { ...told, kind: "rollback", byTree: true, from: earlier.commit.id };
    const [picked] = pickedFrom(message);
    if (picked !== undefined) return { ...told, kind: "hotfix", from: picked };
    if (/^Arcflux-Operation: /m.test(message)) return { ...told, kind: "update" };
    return { ...told, kind: commit.parents.length > 1 ? "merge" : "commit" };
  });
}

export function isoOf({ time }: Pick<ToldCommit, "time">): string {
  // Anybody may write any number there.
  const isDate = time >= 0 && time <= 253_402_300_799;
  return isDate ? `${new Date(time * 1000).toISOString().slice(0, 19)}Z` : "";
}
