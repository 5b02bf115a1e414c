import type { FluxFolderArgs } from "../components/fluxFolder.ts";
import type { Cluster, Fleet, Repository } from "../fleet/model.ts";
import { pathBelow } from "../values/path.ts";

/** The files of a cluster, path below its folder to content, and how they reach the repository. */
export function folderArgs(
  cluster: Cluster,
  fleet: Fleet,
  files: Readonly<Record<string, string>>,
  conflicts: FluxFolderArgs["conflicts"],
  { released = [], deletions, facts }: Pick<FluxFolderArgs, "released" | "deletions" | "facts"> = {},
): FluxFolderArgs {
  const { url, branch, commit } = fleet.repository;
  return {
    repository: url,
    branch,
    folder: cluster.folder,
    ...(cluster.fluxFolder !== cluster.folder && { followed: pathBelow(cluster.folder, cluster.fluxFolder) }),
    ...(cluster.formerly !== undefined && { formerly: cluster.formerly }),
    ...(released.length > 0 && { released }),
    files,
    author: { name: commit.name, email: commit.email },
    ...(commit.message !== undefined && { message: commit.message }),
    delivery: deliveryOf(fleet.repository, cluster),
    ...(conflicts && { conflicts }),
    ...(deletions && { deletions }),
    ...(facts && { facts }),
  };
}

/** How the files of a cluster reach the repository, as the fleet file says; names go into message and trailers. */
function deliveryOf(
  { mode, pullRequest, createBranch, caFile, commit }: Repository,
  cluster: Cluster,
): FluxFolderArgs["delivery"] {
  return {
    mode,
    ...(pullRequest && { pullRequest }),
    ...(createBranch && { createBranch }),
    ...(caFile !== undefined && { caFile }),
    ...(commit.committer && { committer: commit.committer }),
    ...(commit.signing && { signing: commit.signing }),
    commitPer: commit.per,
    cluster: cluster.name,
    ...(cluster.stage !== undefined && { stage: cluster.stage }),
  };
}
