import type { Branches, BranchLine, Refs, ToldCommit } from "../git/index.ts";

/** What came since the last release. */
export interface Since {
  /** The newest tag on the way back along the branch; undefined where there is none. */
  readonly last: string | undefined;
  /** Commits that change the folder, the newest first, of the newest `mostRead`. */
  readonly commits: readonly ToldCommit[];
  /** How many there are in all that were looked at, be the folder changed or not. */
  readonly all: number;
  /** Whether there are more than were looked at. */
  readonly isCut: boolean;
}

/** Commits that are looked at: each costs a folder or two. */
const mostRead = 500;

/** The commits between the last tag of a branch and a commit of it, as far as they change a folder; `""` is the root. */
export async function commitsSince(
  repository: Pick<Branches, "at">,
  { line, all }: BranchLine,
  commit: ToldCommit,
  path: string,
  refs: Pick<Refs, "commits">,
): Promise<Since> {
  const tagged = tagsByCommit(refs);
  const own = line.slice(line.findIndex(({ id }) => id === commit.id));
  const before = own.find(({ id }) => tagged.has(id));
  const known = before === undefined ? new Set<string>() : reachable(before, all);
  const fresh = reachable(commit, all);
  const between = [...all.values()].filter(({ id }) => fresh.has(id) && !known.has(id));
  const read = between.slice(0, mostRead);
  return {
    last: before && tagged.get(before.id),
    commits: path === "" ? read : await changing(repository, read, all, path),
    all: between.length,
    isCut: between.length > read.length,
  };
}

/** One tag for each commit; of several the last in order of versions. */
function tagsByCommit({ commits }: Pick<Refs, "commits">): Map<string, string> {
  const tags = Object.entries(commits).sort(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
  return new Map(tags.map(([tag, commit]) => [commit, tag]));
}

/** A commit and all that it is built on, as far as that was read. */
function reachable(commit: ToldCommit, all: BranchLine["all"]): Set<string> {
  const found = new Set([commit.id]);
  const open = [commit];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const id of next.parents) {
      const parent = all.get(id);
      if (parent === undefined || found.has(id)) continue;
      found.add(id);
      open.push(parent);
    }
  }
  return found;
}

/** Commits whose folder is another one than that of each of their parents, as `git log -- PATH` sees it. */
async function changing(
  repository: Pick<Branches, "at">,
  commits: readonly ToldCommit[],
  all: BranchLine["all"],
  path: string,
): Promise<ToldCommit[]> {
  const parents = commits.flatMap((commit) => commit.parents.map((id) => all.get(id)));
  const trees = [...new Set([...commits, ...parents].flatMap((commit) => commit?.tree ?? []))];
  const found = (await repository.at(trees, [path])).get(path) ?? [];
  const byTree = new Map(trees.map((tree, index) => [tree, found[index]]));
  return commits.filter(({ tree, parents: ids }) => {
    const before = ids.flatMap((id) => all.get(id) ?? []);
    const now = byTree.get(tree);
    return before.length === 0
      ? ids.length === 0 && now !== undefined
      : before.every((parent) => byTree.get(parent.tree) !== now);
  });
}
