import { type Branches, type BranchLine, pickedFrom, type ToldCommit } from "../git/index.ts";
import { commitsBelow } from "./commitsBelow.ts";
import { isExact } from "./pathText.ts";
import { leafText, type Step, type Trace } from "./trace.ts";

/** Files of a commit on the stage that the commit to promote would take away unseen. */
export interface Hotfix {
  readonly commit: ToldCommit;
  readonly paths: readonly string[];
}

/**
 * What is on the stage alone and not in the commit to promote: neither are its blobs on the branch before, nor does the
 * history of the commit name it ("cherry picked from").
 */
export async function missingHotfixes(
  { base, own }: Trace,
  stage: BranchLine,
  before: BranchLine,
  commit: ToldCommit,
  repository: Pick<Branches, "at">,
): Promise<Hotfix[]> {
  if (own.length === 0) return [];
  const reached = commitsBelow(commit.id, before.all);
  const known = new Set([...reached].flatMap((id) => [id, ...pickedFrom(before.all.get(id)?.message ?? "")]));
  const paths = [...new Set(own.flatMap(({ changes }) => changes.map(({ path }) => path)))];
  // What the branch before had earlier than that and has no more is no proof: going back by hand looks the same.
  const since = lineUpTo(before, commit);
  const line = since
    .slice(
      0,
      Math.max(
        1,
        since.findIndex(({ id }) => id === base.source.id),
      ),
    )
    .slice(0, searched);
  const merged = own.flatMap((step) => step.commit.parents.slice(1)).flatMap((id) => stage.all.get(id) ?? []);
  const [now, old, seen, brought] = await Promise.all([
    repository.at([stage.line[0].tree], paths),
    repository.at([base.commit.tree], paths),
    repository.at([...new Set(line.map(({ tree }) => tree))], paths),
    repository.at(
      merged.map(({ tree }) => tree),
      paths,
    ),
  ]);
  // What a merge made itself, such as a conflict that somebody resolved, none of its parents has.
  const isKnown = ({ id, message, parents }: ToldCommit, path: string, has: string | undefined): boolean => {
    const others = parents.slice(1);
    if (known.has(id)) return true;
    if (others.length === 0) return pickedFrom(message).some((one) => known.has(one));
    const isBrought = merged.some((one, at) => others.includes(one.id) && brought.get(path)?.[at] === has);
    return isBrought && others.every((one) => known.has(one));
  };
  const open = new Map<Step, string[]>();
  for (const path of paths) {
    const [has] = now.get(path) ?? [];
    if (isExact(path) && (has === old.get(path)?.[0] || seen.get(path)?.includes(has) === true)) continue;
    // The newest that made it what it is; what a rollback undid is nobody's any more.
    const step = own.find(({ changes }) =>
      changes.some((change) => change.path === path && (!isExact(path) || leafText(change.to) === has)),
    );
    if (step !== undefined && !isKnown(step.commit, path, has))
      open.set(step, [...(open.get(step) ?? []), path]);
  }
  return [...open].map(([step, files]) => ({ commit: step.commit, paths: files.sort() }));
}

/** Commits of the branch before that are looked through for a blob. */
const searched = 512;

/** The branch as it was with a commit at its tip. */
function lineUpTo({ line }: BranchLine, { id }: ToldCommit): readonly ToldCommit[] {
  return line.slice(line.findIndex((one) => one.id === id));
}
