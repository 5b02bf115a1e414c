import type { Cluster, Fleet } from "../../fleet/model.ts";
import { showNames } from "../../values/show.ts";
import type { Fault } from "../fault.ts";
import { isOurs } from "../generatedFiles.ts";
import type { RepositoryReader } from "../repositoryReader.ts";

/** What a missing engine means: a warning that nothing was judged, or for an update that changes running sets an error. */
export async function missingEngine(
  fleet: Fleet,
  followed: ReadonlyMap<string, RepositoryReader>,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  { message, how }: { readonly message: string; readonly how: "warn" | "stop" },
): Promise<Fault[]> {
  const path = ["repository"];
  const changed = how === "warn" ? [] : await changedClusters(fleet, followed, rendered);
  if (changed.length === 0)
    return [
      {
        severity: "warning",
        path,
        name: "not-judged",
        message: `what the sets apply was not judged. ${message}`,
      },
    ];
  return [
    {
      severity: "error",
      path,
      name: "not-judged",
      message: `sets of ${showNames(changed, 3)} change, and what that does was not judged. Nothing was changed. ${message}`,
    },
  ];
}

/** Clusters with a set on the branch they follow that the update changes or takes out. */
async function changedClusters(
  { clusters }: Fleet,
  followed: ReadonlyMap<string, RepositoryReader>,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
): Promise<string[]> {
  const found = await Promise.all(
    clusters.map(async (cluster) => {
      const reader = followed.get(cluster.follows);
      const entries = (await reader?.list(cluster.fluxFolder)) ?? [];
      const files = rendered.get(cluster) ?? new Map<string, string>();
      const changes = await Promise.all(
        entries.map(async ({ name, kind }) => {
          if (kind !== "file" || !name.endsWith(".yaml")) return false;
          const path = cluster.fluxFolder === "" ? name : `${cluster.fluxFolder}/${name}`;
          const text = await reader!.read(path);
          return text !== undefined && isOurs(text) && text !== files.get(path);
        }),
      );
      return changes.includes(true) ? [cluster.name] : [];
    }),
  );
  return found.flat();
}
