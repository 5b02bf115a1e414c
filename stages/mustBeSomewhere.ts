import type { Branches, BranchLine, ToldCommit } from "../git/index.ts";
import { didYouMean, probable } from "../values/nearest.ts";
import { folderOf, fullPath } from "../values/path.ts";
import { show } from "../values/show.ts";
import { short } from "./commitOn.ts";
import type { Scope } from "./scope.ts";
import { StageError } from "./stageError.ts";

/** A path to take back has to be on the branch, or in the state to go back to: else it is misspelt. Throws StageError. */
export async function mustBeSomewhere(
  path: string,
  { branch, line: [tip] }: BranchLine,
  target: ToldCommit,
  { clusters }: Pick<Scope, "clusters">,
  repository: Pick<Branches, "at" | "reader">,
): Promise<void> {
  const found = await repository.at([tip.tree, target.tree], [path]);
  if (found.get(path)?.some((leaf) => leaf !== undefined) === true) return;
  const above = ["", ...path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"))];
  const folders = await repository.reader(branch, tip).list(above);
  // The first folder on the way that is not there is the one that was misspelt.
  const wrong = above.find((one) => !folders.has(one)) ?? path;
  const beside = (folders.get(folderOf(wrong)) ?? []).map(({ name }) => fullPath(folderOf(wrong), name));
  const sets = clusters.flatMap((cluster) => cluster.sets.map(({ name }) => name));
  throw new StageError(
    `--only ${show(path)} is not a set of these clusters and no path, neither on ${branch} nor at ${short(target.id)}.${didYouMean(probable(wrong, [...sets, ...beside])) || " Write a set, or a path such as apps/pos."}`,
  );
}
