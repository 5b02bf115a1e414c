import { isOurs } from "../checks/generatedFiles.ts";
import {
  type Branches,
  type BranchLine,
  pickedFrom,
  type ToldCommit,
  type TreeChange,
} from "../git/index.ts";
import { show, showNames } from "../values/show.ts";
import { short } from "./commitOn.ts";
import { commitsBelow } from "./commitsBelow.ts";
import { isInventory } from "./generated.ts";
import { refuseInexact } from "./pathText.ts";
import { StageError } from "./stageError.ts";
import { leafText } from "./trace.ts";

/** A commit whose change is to be taken over. */
export interface Picked {
  readonly commit: ToldCommit;
  readonly changes: readonly TreeChange[];
}

/**
 * What a branch does with a change:
 *
 * - `has`: it holds it already, or is built on it
 * - `takes`: it has at every path what the commit's parent had, or what the commit has
 * - `differs`: it has something else at `paths`, so a person has to look
 */
export interface Target {
  readonly branch: string;
  readonly state: "has" | "takes" | "differs";
  readonly paths: readonly string[];
  /** The commit made. */
  readonly made?: string;
}

/** Finds a commit by hash, or as the tip of a branch, and what it changes. Throws StageError for what is not to be picked. */
export async function readPick(
  text: string,
  lines: readonly BranchLine[],
  repository: Branches,
): Promise<Picked> {
  const own = /^[0-9a-f]{7,64}$/.test(text) ? undefined : await repository.line(text);
  const all = new Map([...lines, ...(own === undefined ? [] : [own])].flatMap((line) => [...line.all]));
  const found = own === undefined ? [...all.values()].filter(({ id }) => id.startsWith(text)) : [own.line[0]];
  const [commit] = found;
  const branches = lines.map(({ branch }) => branch).join(" or ");
  if (commit === undefined || found.length > 1)
    throw new StageError(
      `${show(text)} is ${found.length > 1 ? "the beginning of several commits" : `no commit of ${branches}, and no branch`}. Push the change to a branch, and name that branch.`,
    );
  const [parent, ...others] = commit.parents.map((id) => all.get(id));
  if (commit.parents.length !== 1 || parent === undefined || others.length > 0)
    throw new StageError(
      `${short(commit.id)} (${commit.subject}) is ${commit.parents.length > 1 ? "a merge" : "a first commit"}, and of one it cannot be told what it changes. Name the commits that it brought, one at a time.`,
    );
  const changes = await repository.changes(parent.tree, commit.tree);
  if (changes.length === 0) throw new StageError(`${short(commit.id)} (${commit.subject}) changes nothing.`);
  refuseInexact(
    changes.map(({ path }) => path),
    "Take the change to each branch by git cherry-pick -x.",
  );
  await refuseGenerated(commit, parent, changes, repository);
  return { commit, changes };
}

/** Those are written by updates, of which a copy on one branch would be undone or in the way. */
async function refuseGenerated(
  commit: ToldCommit,
  parent: ToldCommit,
  changes: readonly TreeChange[],
  repository: Branches,
): Promise<void> {
  const paths = changes.map(({ path }) => path);
  const texts = await Promise.all(
    [commit, parent].map((one) =>
      repository.reader("", one).read(paths.filter((path) => !isInventory(path))),
    ),
  );
  const generated = paths.filter(
    (path) => isInventory(path) || texts.some((read) => isOurs(read.get(path)?.toString("utf8") ?? "")),
  );
  if (generated.length > 0)
    throw new StageError(
      `${short(commit.id)} changes generated files (${showNames(generated, 3)}), which follow from the fleet file. Change that, update, and promote; or take the stage back: arcflux rollback.`,
    );
}

/** What each branch does with the change. */
export async function targetsOf(
  { commit, changes }: Picked,
  lines: readonly BranchLine[],
  repository: Pick<Branches, "at">,
): Promise<Target[]> {
  const paths = changes.map(({ path }) => path);
  const there = await repository.at(
    lines.map(({ line }) => line[0].tree),
    [...new Set(paths.flatMap((path) => [path, ...foldersOn(path)]))],
  );
  const goes = new Set(changes.flatMap(({ path, to }) => (to === undefined ? [path] : [])));
  return lines.map(({ branch, line, all }, index): Target => {
    const rows = changes.map(({ path, from, to }) => {
      const has = there.get(path)?.[index];
      // A file of somebody where the change has a folder would go unseen.
      const inTheWay = foldersOn(path).find((folder) => {
        const leaf = there.get(folder)?.[index];
        return to !== undefined && leaf !== undefined && !leaf.startsWith("40000 ") && !goes.has(folder);
      });
      return {
        path: inTheWay ?? path,
        isNew: has === leafText(to),
        isOld: has === leafText(from) && inTheWay === undefined,
      };
    });
    const reached = [...commitsBelow(line[0].id, all)];
    const isPicked = reached.some(
      (id) => id === commit.id || pickedFrom(all.get(id)?.message ?? "").includes(commit.id),
    );
    if (isPicked || rows.every(({ isNew }) => isNew)) return { branch, state: "has", paths: [] };
    const differing = rows.filter(({ isNew, isOld }) => !isNew && !isOld);
    return differing.length > 0
      ? { branch, state: "differs", paths: [...new Set(differing.map(({ path }) => path))] }
      : { branch, state: "takes", paths: rows.filter(({ isNew }) => !isNew).map(({ path }) => path) };
  });
}

/** The folders that a path lies in. */
function foldersOn(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}
