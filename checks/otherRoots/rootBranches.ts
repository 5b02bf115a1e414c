import type { Fleet } from "../../fleet/model.ts";
import type { RepositoryReaders } from "../repositoryReader.ts";
import type { RepositoryTrees } from "../repositoryTree.ts";
import type { RootBranch } from "./checkOtherRoots.ts";

/** Branches on which what others apply may meet the files of an update. */
export function rootBranches(
  { clusters, repository }: Fleet,
  trees: RepositoryTrees,
  readers: RepositoryReaders,
): RootBranch[] {
  if (trees.committed === undefined || readers.committed === undefined) return [];
  const own = { name: repository.branch, tree: trees.committed, reader: readers.committed, clusters };
  const followed = [...Map.groupBy(clusters, ({ follows }) => follows)].flatMap(
    ([name, some]): RootBranch[] => {
      const [tree, reader] = [trees.followed.get(name), readers.followed.get(name)];
      const isOther = name !== repository.branch && tree !== undefined && reader !== undefined;
      return isOther && tree !== trees.committed ? [{ name, tree, reader, clusters: some }] : [];
    },
  );
  return [own, ...followed];
}
