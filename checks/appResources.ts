import type { Fleet } from "../fleet/model.ts";
import { show } from "../values/show.ts";
import { appsFolder } from "../flux/apps.ts";
import type { Fault } from "./fault.ts";
import { locateFolder } from "./locateFolder.ts";
import { relativePath } from "./relativePath.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** Warns of apps whose resource is not in the repository, once for each place they would be at. */
export async function checkAppResources(fleet: Fleet, reader: RepositoryReader): Promise<Fault[]> {
  const said = new Set<string>();
  const faults = await Promise.all(
    fleet.clusters.flatMap(({ name, folder, apps }) =>
      apps.map(async (app): Promise<Fault[]> => {
        const path = relativePath(folder === "" ? appsFolder : `${folder}/${appsFolder}`, app.resource);
        if (path === undefined || said.has(path)) return [];
        said.add(path);
        const located = await locateFolder(path, reader);
        if (located.kind !== "missing") return [];
        const near = located.near === undefined ? "add it, or correct the app" : `there is ./${located.near}`;
        const message = `is taken from ${show(`./${path}`)}, which is not in the repository; ${near}`;
        return [{ severity: "warning", path: ["clusters", name, "apps", app.name], message }];
      }),
    ),
  );
  return faults.flat();
}
