import { join } from "node:path";
import { readFleet } from "../fleet/readFleet.ts";
import { manifestsOf } from "./manifests.ts";
import { projectRoot } from "./stack.ts";

/**
 * Manifests for the sets of the clone's fleet file, path to content, so that a cluster finds something to apply. None
 * where that file has faults, which `pulumi` tells of.
 */
export async function sampleManifests(): Promise<Record<string, string>> {
  const { fleet } = await readFleet(join(projectRoot, "fleet.yaml"));
  const own = (fleet?.clusters ?? []).flatMap(({ sets, sources }) =>
    // A set with a source of its own finds its manifests there.
    sets.filter(({ sourceRef }) => !sources.some(({ name }) => name === sourceRef.name)),
  );
  return Object.assign({}, ...own.map(manifestsOf)) as Record<string, string>;
}
