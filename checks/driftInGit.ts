import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { againstRepository, type Against } from "./againstRepository.ts";
import { GeneratedFiles } from "./generatedFiles.ts";
import { checkHandEdits } from "./handEdits.ts";
import { repositoryReaders } from "./repositoryReader.ts";

/** Generated files that somebody changed or took back since Arcflux wrote them, once a commit. Rejects with GitError. */
export async function driftInGit(fleet: Fleet, finding: Against["finding"]): Promise<Finding[]> {
  const rendered = new Map(
    fleet.clusters.map((cluster) => [
      cluster,
      new GeneratedFiles(cluster, renderClusterFolder(cluster, fleet)).files,
    ]),
  );
  const { value } = await againstRepository(fleet, { finding }, async (trees) => {
    const { committed } = repositoryReaders(trees);
    const edits = committed === undefined ? [] : await checkHandEdits(rendered, committed);
    return {
      faults: [],
      value: edits.map(({ severity, path, message }) => finding(severity, path, message, "key")),
    };
  });
  return value ?? [];
}
