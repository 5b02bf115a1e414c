import {
  type Branches,
  type BranchLine,
  stageActOf,
  type ToldCommit,
  type TreeChange,
} from "../git/index.ts";
import { isInventory } from "./generated.ts";

/** What the branch of a stage has of its own since it last was as the branch before it. */
export interface Trace {
  /** The newest commit of the stage whose tree the branch before had, by whatever way it came; and that of the branch before. */
  readonly base: { readonly commit: ToldCommit; readonly source: ToldCommit };
  /** Commits put on the stage alone since, rollbacks left out, the newest first. */
  readonly own: readonly Step[];
  readonly rollbacks: readonly Rollback[];
}

/** A commit of the stage, with what it changed. */
export interface Step {
  readonly commit: ToldCommit;
  readonly changes: readonly TreeChange[];
}

/** A commit that went back, and what it took away: by path, each blob that the stage had there since. */
export interface Rollback extends Step {
  readonly taken: ReadonlyMap<string, ReadonlySet<string | undefined>>;
}

/** What a path is, as Branches.at writes it. */
export function leafText(leaf: TreeChange["from"]): string | undefined {
  return leaf && `${leaf.mode} ${leaf.id}`;
}

/**
 * Reads what is on a stage alone, by trees and not by ancestry: a merge, a squash merge and a copy are the same. Undefined
 * where the branch before never had a state that the stage has had.
 */
export async function traceStage(
  stage: BranchLine,
  before: BranchLine,
  repository: Pick<Branches, "changes">,
): Promise<Trace | undefined> {
  const oldest = new Map(before.line.map((commit) => [commit.tree, commit]));
  const own: Step[] = [];
  const rollbacks: Rollback[] = [];
  for (const [index, commit] of stage.line.entries()) {
    const older = stage.line.slice(index + 1);
    const [parent] = older;
    const source = sourceOf(commit, before, oldest);
    // A host merges the request of a promotion by a commit of its own; a person merges the branch before.
    const merged = commit.parents.slice(1).flatMap((id) => stage.all.get(id) ?? []);
    const brought = merged.find(({ tree }) => tree === commit.tree);
    const act = stageActOf(commit.message) ?? (brought && stageActOf(brought.message));
    const earlier = older.findIndex(({ tree }) => tree === commit.tree);
    const isSame = act === undefined && brought === undefined && earlier > 0;
    const isBack = act?.operation === "rollback" || isSame;
    if (source !== undefined && !isBack) return { base: { commit, source }, own, rollbacks };
    // What is older than all that was read was there before anybody promoted.
    if (parent === undefined) return undefined;
    const changes = await repository.changes(parent.tree, commit.tree);
    if (changes.length === 0) continue;
    if (isBack) {
      const passed = older.slice(0, Math.max(1, earlier));
      rollbacks.push({ commit, changes, taken: await takenBack(commit, passed, repository) });
    } else own.push({ commit, changes });
  }
  return undefined;
}

/** The commit of the branch before that a commit of the stage is as: the one it names, or the oldest of that tree. */
function sourceOf(
  { tree, message }: ToldCommit,
  { all }: BranchLine,
  oldest: ReadonlyMap<string, ToldCommit>,
): ToldCommit | undefined {
  const named = all.get(stageActOf(message)?.from ?? "");
  return named?.tree === tree ? named : oldest.get(tree);
}

/** By path, what the commits that were passed over had where the rollback has something else. */
async function takenBack(
  { tree }: ToldCommit,
  passed: readonly ToldCommit[],
  repository: Pick<Branches, "changes">,
): Promise<Rollback["taken"]> {
  const taken = new Map<string, Set<string | undefined>>();
  for (const had of new Set(passed.map((one) => one.tree))) {
    for (const { path, to } of await repository.changes(tree, had)) {
      // An inventory tells of files, and comes or goes with them.
      if (isInventory(path)) continue;
      const known = taken.get(path) ?? new Set();
      taken.set(path, known.add(leafText(to)));
    }
  }
  return taken;
}
