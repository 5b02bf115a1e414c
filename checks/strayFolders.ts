import type { Fleet } from "../fleet/model.ts";
import { folder } from "../values/repositoryPath.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { tenantsFolder } from "../fleet/resolveTenants.ts";
import { windowsFolder } from "../fleet/window/index.ts";
import { hasSecretsFolder } from "../flux/secrets/folder.ts";
import { fullPath } from "../values/path.ts";
import type { Fault } from "./fault.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/**
 * Warns of folders below a cluster's sets folder that no set of any cluster applies, and none of `others`: folders that
 * hand-written Kustomizations apply.
 */
export async function checkStrayFolders(
  fleet: Fleet,
  reader: RepositoryReader,
  others: ReadonlySet<string> = new Set(),
): Promise<Fault[]> {
  const applied = new Set(fleet.clusters.flatMap(({ sets }) => sets.map(({ spec }) => folder(spec.path))));
  for (const path of others) applied.add(path);
  // With `layout.sets: .` the flux folder lies there too, and perhaps other clusters.
  for (const cluster of fleet.clusters) {
    const { folder, fluxFolder } = cluster;
    if (fluxFolder !== folder) applied.add(fluxFolder);
    for (const own of [windowsFolder, tenantsFolder]) applied.add(fullPath(folder, own));
    if (hasSecretsFolder(cluster)) applied.add(fullPath(folder, secretsName));
  }
  const faults = await Promise.all(
    fleet.clusters.map(async ({ name, setsFolder }): Promise<Fault[]> => {
      const entries = (await reader.list(setsFolder)) ?? [];
      return entries
        .filter(({ kind }) => kind === "folder")
        .map((entry) => (setsFolder === "" ? entry.name : `${setsFolder}/${entry.name}`))
        .filter((path) => !isApplied(path, applied))
        .map((path) => ({
          severity: "warning",
          path: ["clusters", name, "sets"],
          message: `${path} is in the repository, but no set applies it; add a set with that name, or remove the folder`,
        }));
    }),
  );
  return faults.flat();
}

/** Whether the folder, one above it, or one inside it is what a set applies. */
function isApplied(path: string, applied: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  if (parts.some((_, depth) => applied.has(parts.slice(0, depth + 1).join("/")))) return true;
  for (const each of applied) if (each.startsWith(`${path}/`)) return true;
  return applied.has("");
}
