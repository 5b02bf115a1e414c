import type { Cluster } from "../fleet/model.ts";
import { showNames } from "../values/show.ts";
import type { FormerCluster } from "./formerClusters.ts";

/**
 * What protection will refuse, in the words of the fleet file: the engine names a flag that nobody here has set. `clusters`
 * are those of the stack now, `former` those of its last update.
 */
export function protectedFaults(
  clusters: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
): string[] {
  return [...gone(clusters, former), ...moved(clusters, former)];
}

function gone(clusters: readonly Cluster[], former: Readonly<Record<string, FormerCluster>>): string[] {
  const now = new Set(clusters.flatMap(({ name, formerly = name }) => [name, formerly]));
  const missing = Object.entries(former)
    .filter(([name, { lifecycle }]) => !now.has(name) && lifecycle === undefined)
    .map(([name]) => name);
  if (missing.length === 0) return [];
  const are = missing.length === 1 ? "is" : "are";
  return [
    `${showNames(missing, 3)} ${are} no longer among the clusters of this stack, and protected. ` +
      "Nothing was changed. Write back what is missing with `lifecycle: retired`, run `pulumi up`, and drop it then.",
  ];
}

function moved(clusters: readonly Cluster[], former: Readonly<Record<string, FormerCluster>>): string[] {
  return clusters.flatMap(({ name, platform, arc }) => {
    const before = groupOf(Object.hasOwn(former, name) ? former[name]?.arcId : undefined);
    if (platform !== "arc" || before === undefined) return [];
    if (before.toLowerCase() === arc.resourceGroup.toLowerCase()) return [];
    return [
      `${name}: Azure cannot move a connected cluster to another resource group. Nothing was changed. ` +
        `Keep it with \`arc: { resourceGroup: ${before} }\`, or retire it and connect it anew under another name.`,
    ];
  });
}

/** The resource group in the id of a connected cluster. */
function groupOf(arcId: string | undefined): string | undefined {
  return arcId === undefined ? undefined : /\/resourceGroups\/([^/]+)\//i.exec(arcId)?.[1];
}
