import type { Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { type GitContext, writeFiles } from "../../git/index.ts";
import { folderArgs } from "../../program/folderArgs.ts";

/** Writes the generated files of a fleet as an update of stack `edge/prod` does. */
export async function writeFleet(fleet: Fleet, context: GitContext): Promise<void> {
  await Promise.all(
    fleet.clusters.map((cluster) => {
      const args = folderArgs(cluster, fleet, renderClusterFolder(cluster, fleet), {});
      const { repository: url, branch, folder: directory, followed, files, author } = args;
      const place = { url, branch, directory, followed, owner: `edge/prod/${cluster.name}` };
      const delivery = { commitPer: "push" } as const;
      return writeFiles({ ...place, files, author, delivery, message: "{summary}" }, context);
    }),
  );
}
