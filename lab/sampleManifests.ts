import { join } from "node:path";
import { readFleet } from "../fleet/readFleet.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { manifestsOf } from "./manifests.ts";
import { projectRoot } from "./stack.ts";

/**
 * Manifests for the sets of a fleet file, the clone's unless another is named, path to content, so that a cluster finds
 * something to apply. None where that file has faults, which `pulumi` tells of.
 */
export async function sampleManifests(
  file = join(projectRoot, "fleet.yaml"),
): Promise<Record<string, string>> {
  const { fleet } = await readFleet(file);
  const own = (fleet?.clusters ?? []).flatMap(({ sets, sources }) =>
    // A set with a source of its own finds its manifests there, and those of the apps are generated.
    sets.filter(
      ({ name, sourceRef }) => name !== appsSet && !sources.some((one) => one.name === sourceRef.name),
    ),
  );
  return Object.assign({}, ...own.map(manifestsOf)) as Record<string, string>;
}
