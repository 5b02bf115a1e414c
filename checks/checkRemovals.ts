import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { againstRepository, type Against } from "./againstRepository.ts";
import type { Render } from "./fluxFolders.ts";
import { checkRemovedSets } from "./removedSets.ts";
import { repositoryReader } from "./repositoryReader.ts";

/** How to look for sets that go away. */
export interface RemovalChecks extends Against {
  readonly render: Render;
}

/**
 * The sets alone that an update would take out of the repository, of all that `checkFleet` looks for. Reads the flux
 * folders and no more: this also guards an update that no preview went before.
 */
export function checkRemovals(fleet: Fleet, { render, ...against }: RemovalChecks): Promise<Finding[]> {
  const paths = fleet.clusters.flatMap((cluster) =>
    Object.keys(render(cluster)).map((path) => (cluster.folder === "" ? path : `${cluster.folder}/${path}`)),
  );
  return againstRepository(fleet, against, async (tree) => {
    const { faults, decided } = await checkRemovedSets(fleet, repositoryReader(tree), new Set(paths));
    return [...faults, ...decided];
  });
}
