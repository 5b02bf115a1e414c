import type { Cluster } from "../../fleet/model.ts";
import { tenantsFolder } from "../../fleet/resolveTenants.ts";
import { fullPath } from "../../values/path.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { Remark } from "./deletion.ts";

/** Namespaces that tenants who stay lose. Only the names of files are looked at. */
export async function tenantNamespaces(
  { name: cluster, folder, tenants }: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
): Promise<Remark[]> {
  const remarks = await Promise.all(
    tenants.map(async ({ name }): Promise<Remark[]> => {
      const path = fullPath(folder, `${tenantsFolder}/${name}`);
      const entries = (await reader.list(path)) ?? [];
      return entries.flatMap((entry): Remark[] => {
        const [, namespace] = /^namespace-(.+)\.yaml$/.exec(entry.name) ?? [];
        if (namespace === undefined || ours.has(`${path}/${entry.name}`)) return [];
        return [
          {
            cluster,
            going: [{ kind: "tenant", name, from: namespace }],
            text: `loses namespace ${namespace}, so Flux deletes it with everything in it`,
            ways: "To keep it, put it back",
          },
        ];
      });
    }),
  );
  return remarks.flat();
}
