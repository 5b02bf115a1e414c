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
  return gone(clusters, former);
}

/**
 * Clusters that the fleet file declares and `arcflux:clusters` no longer selects: without protection the update would delete
 * them, and no entry of `removed` asks.
 */
export function deselectedFaults(
  clusters: readonly Cluster[],
  declared: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
): string[] {
  const here = new Set(declared.flatMap(({ name, formerly = name }) => [name, formerly]));
  const missing = goneOf(
    clusters,
    Object.fromEntries(Object.entries(former).filter(([name]) => here.has(name))),
  );
  if (missing.length === 0) return [];
  const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    `${showNames(missing, 3)} ${are} no longer selected by stack config arcflux:clusters, so the update would delete ${them}. ` +
      `Nothing was changed. Select ${them} again, or write \`lifecycle: retired\`, run \`pulumi up\`, and leave ${them} out then.`,
  ];
}

function goneOf(
  clusters: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
): readonly string[] {
  const now = new Set(clusters.flatMap(({ name, formerly = name }) => [name, formerly]));
  return Object.entries(former)
    .filter(([name, { lifecycle }]) => !now.has(name) && lifecycle === undefined)
    .map(([name]) => name);
}

function gone(clusters: readonly Cluster[], former: Readonly<Record<string, FormerCluster>>): string[] {
  const missing = goneOf(clusters, former);
  if (missing.length === 0) return [];
  const are = missing.length === 1 ? "is" : "are";
  return [
    `${showNames(missing, 3)} ${are} no longer among the clusters of this stack, and protected. ` +
      "Nothing was changed. Write back what is missing with `lifecycle: retired`, run `pulumi up`, and drop it then.",
  ];
}
