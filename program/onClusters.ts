import { changesBetween, noFiles, shortSummary } from "../checks/applied/index.ts";
import { EngineMissing } from "../checks/built/index.ts";
import type { Look } from "../checks/checkRepository.ts";
import type { Fleet } from "../fleet/model.ts";
import { showKinds } from "../values/show.ts";

/**
 * What the update's commit changes on clusters, a line for those that change alike: `store-001 and 38 more: 2 changed (1
 * restarted)`. Only of clusters that follow the branch which is committed to; the others change with a promotion. Nothing
 * where there is nothing to build with, which the checks have said.
 */
export async function onClusters(
  { clusters, repository: { url, branch } }: Fleet,
  { trees, pinned, changed, after, builder }: Look,
): Promise<string[]> {
  const now = clusters.filter((cluster) => changed.has(cluster) && cluster.follows === branch);
  if (now.length === 0) return [];
  const before = { tree: trees.committed ?? noFiles, branch };
  try {
    const fresh = { tree: after(branch), branch };
    return showKinds(shortSummary(await changesBetween(now, { url, pinned }, before, fresh, builder)));
  } catch (error) {
    if (error instanceof EngineMissing) return [];
    throw error;
  }
}
