import type { Fleet } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import type { FileChange } from "./fileChanges.ts";
import { savedOf, type Writer } from "./folderOwners.ts";
import type { RepositoryTree } from "./repositoryTree.ts";

/** How many commits deep the branch is read. */
const depth = 500;

/**
 * A warning where the branch was set back behind the last write of the stack: the state still says that all is there, and
 * an update would find nothing to do. Only asked where files differ from what an update writes, and only told where the
 * whole of the history was seen.
 */
export async function checkSetBack(
  { repository: { branch, mode } }: Fleet,
  changes: readonly FileChange[],
  writer: Writer,
  committed: RepositoryTree | undefined,
): Promise<Fault[]> {
  if (committed?.commits === undefined || mode !== "push") return [];
  const written = new Map(
    changes.flatMap(({ cluster }) => {
      const commit = savedOf(cluster, writer)?.commit;
      return commit === undefined ? [] : [[cluster.name, commit] as const];
    }),
  );
  if (written.size === 0) return [];
  const commits = await committed.commits(depth);
  const known = new Set(commits.map(({ id }) => id));
  const isWhole = commits.every(({ parents }) => parents.every((parent) => known.has(parent)));
  const lost = [...written].filter(([, commit]) => isWhole && !known.has(commit));
  const [first] = lost;
  if (first === undefined) return [];
  const [name, commit] = first;
  const message =
    `branch ${branch} lacks ${commit.slice(0, 7)}, the last write of ${showSome(lost.map(([cluster]) => cluster))}: it was ` +
    `set back, and the state does not know. To write the files again, set arcflux:drift restore and run \`pulumi up --refresh\``;
  return [{ severity: "warning", path: ["clusters", name], message }];
}
