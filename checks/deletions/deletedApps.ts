import type { Cluster, Fleet } from "../../fleet/model.ts";
import { folder } from "../../values/repositoryPath.ts";
import { appsSet } from "../../fleet/resolveSets.ts";
import { appsFolder } from "../../flux/apps.ts";
import { asList, asText, documents } from "../documents.ts";
import { isOurs } from "../generatedFiles.ts";
import { relativePath } from "../relativePath.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { hasBytes } from "../sameBytes.ts";
import type { Remark } from "./deletion.ts";
import type { GoingSet } from "./goingSets.ts";

/**
 * Apps that leave the list of a cluster: Flux deletes what it no longer finds there. The set that applies the list goes with
 * the last of them, and whoever wrote apps alone has never heard of it.
 */
export async function deletedApps(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
  layout: Fleet["layout"],
  going: readonly GoingSet[] = [],
): Promise<Remark[]> {
  const base = cluster.folder === "" ? appsFolder : `${cluster.folder}/${appsFolder}`;
  const path = `${base}/kustomization.yaml`;
  const applying =
    cluster.sets.find(({ spec }) => folder(spec.path) === base && spec.prune) ?? going.find(isOfApps);
  if (applying === undefined) return [];
  const entry = (await reader.list(base))?.find(({ name }) => name === "kustomization.yaml");
  const after = files.get(path) ?? "";
  if (entry === undefined || hasBytes(entry, after)) return [];
  const before = (await reader.read(path)) ?? "";
  if (!isOurs(before)) return [];
  const kept = new Set(resources(after, base));
  return resources(before, base)
    .filter((resource) => !kept.has(resource))
    .map((resource) => ({
      cluster: cluster.name,
      going: [{ kind: "app", name: nameOf(resource, layout.apps) }],
      text: `goes away, so Flux deletes everything that it applied by the set ${applying.name}`,
      ways:
        "To keep that, first give its objects the annotation `kustomize.toolkit.fluxcd.io/prune: disabled`, let the " +
        "cluster take that, and remove the app then",
    }));
}

/** Whether a set that goes is the one that apps alone had brought. */
export function isOfApps({ name, end }: GoingSet): boolean {
  return name === appsSet && end === "deletes";
}

/** Folders of the apps, from the root of the repository. */
function resources(text: string, base: string): string[] {
  const [list] = documents(text) ?? [];
  return asList(list?.["resources"]).flatMap((resource) => {
    const path = asText(resource);
    return path === undefined ? [] : [relativePath(base, path) ?? path];
  });
}

/** What stands for `{app}` in the layout; for an app with a path of its own, the name of its folder. */
function nameOf(resource: string, layout: string): string {
  const [before = "", after = ""] = folder(layout).split("{app}");
  const name = resource.slice(before.length, resource.length - after.length);
  const isLaidOut = resource.startsWith(before) && resource.endsWith(after) && /^[^/]+$/.test(name);
  return isLaidOut ? name : (resource.split("/").at(-1) ?? resource);
}
