import type { PolicyResource } from "@pulumi/policy";

import type { ClusterFacts } from "../fleet/facts.ts";
import { checkEachKnown } from "./checkEachKnown.ts";
import { eachCommittedFile } from "./committedFiles.ts";
import { clusterOfResource } from "./exemptions.ts";
import { type FolderFault, type PlacedObject, placeOf } from "./filePolicy.ts";
import { factsOfClusters, type Tell } from "./fleetPolicy.ts";
import { inputsOf } from "./registeredInputs.ts";
import { isGitFiles } from "./resourceTypes.ts";

/**
 * Judges the files of each cluster together with what the program says of the cluster; undefined for one that it says nothing
 * of. A cluster with a file that is not known yet is left out, and said to be: any name may stand in that file. The policy has
 * to remember the inputs of the files.
 */
export function checkClusterFolders(
  resources: readonly PolicyResource[],
  tell: Tell,
  check: (objects: readonly PlacedObject[], facts: ClusterFacts | undefined) => readonly FolderFault[],
): void {
  const clusters = factsOfClusters(resources);
  checkEachKnown(
    resources
      .filter(({ type }) => isGitFiles(type))
      .map((files) => ({
        about: `GitFiles '${files.name}'`,
        check: () => {
          const objects: PlacedObject[] = [];
          for (const step of eachCommittedFile(inputsOf(files), ({ path, content, isPatch }) => {
            if ("fault" in content || isPatch()) return;
            for (const object of content.objects) objects.push({ path, object });
          }))
            step.check();
          const cluster = clusterOfResource(files.name);
          const facts = Object.hasOwn(clusters, cluster) ? clusters[cluster] : undefined;
          for (const { at, fault } of check(objects, facts))
            tell(`${placeOf(files.name, at)}: ${fault}`, files.urn);
        },
      })),
  );
}
