import type { Cluster } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import { committedSets } from "./deletions/committedSets.ts";
import type { Fault } from "./fault.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";

/**
 * Updates of clusters that a freeze with `liveSets` holds: errors, and warnings where somebody says why it must be. The
 * freeze itself is written: it suspends jobs in the files of windows. What is the same freeze is said once.
 */
export async function frozenClusters(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
  emergency: string | undefined,
): Promise<Fault[]> {
  const changed = await Promise.all(
    [...rendered].map(async ([cluster, files]) =>
      cluster.freeze?.liveSets === true && (await isChanged(cluster, files, reader)) ? [cluster] : [],
    ),
  );
  const byFreeze = Map.groupBy(changed.flat(), ({ freeze }) => freeze?.name ?? "");
  return [...byFreeze].map(([name, clusters]) => {
    const { until = "", reason = "" } = clusters[0]?.freeze ?? {};
    const names = showSome(new Set(clusters.map((cluster) => cluster.name)));
    const said = `holds updates of ${names} until ${until} (${reason})`;
    return emergency === undefined
      ? {
          severity: "error",
          path: ["freezes", name],
          message: `${said}; wait, or set ARCFLUX_EMERGENCY to the reason why this cannot`,
        }
      : { severity: "warning", path: ["freezes", name], message: `${said}; passed by: ${emergency}` };
  });
}

/** Whether an update writes or deletes anything but the objects of windows. */
export async function isChanged(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<boolean> {
  const { gone } = await committedSets(cluster, new Set(files.keys()), reader);
  if (gone.length > 0) return true;
  const written = await Promise.all(
    [...files].map(async ([path, text]) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const folder = path.slice(0, Math.max(path.length - name.length - 1, 0));
      if (folder === cluster.fluxFolder && /^window-.*\.yaml$/.test(name)) return false;
      const entry = (await reader.list(folder))?.find((one) => one.name === name);
      if (entry === undefined) return true;
      // What lies on disk has no id.
      return !hasBytes(entry, text) && (await reader.read(path)) !== text;
    }),
  );
  return written.some(Boolean);
}
