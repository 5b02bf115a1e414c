import type { Cluster, ClusterSet, Fleet } from "../fleet/model.ts";
import { folder } from "../values/repositoryPath.ts";
import { showSome } from "../values/show.ts";
import { asMap, asText } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { type KubernetesObject, kubernetesObjects } from "./kubernetesObject.ts";
import { kustomizeFolder } from "./kustomizeFolder.ts";
import { isOwnSource } from "./ownSource.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

interface Use {
  readonly cluster: Cluster;
  readonly set: ClusterSet;
}

/** Warnings for what changes by itself inside windowed sets, at any time: no window holds it. Each file is told once. */
export async function checkWindowContents(fleet: Fleet, reader: RepositoryReader): Promise<Fault[]> {
  const uses = fleet.clusters.flatMap((cluster) =>
    cluster.sets
      .filter((set) => set.window !== undefined && isOwnSource(set, cluster, fleet.repository.branch))
      .map((set): Use => ({ cluster, set })),
  );
  const byFolder = Map.groupBy(uses, ({ set }) => folder(set.spec.path));
  const faults = await Promise.all([...byFolder].map(([path, all]) => folderFaults(path, all, reader)));
  return faults.flat();
}

async function folderFaults(path: string, uses: readonly Use[], reader: RepositoryReader): Promise<Fault[]> {
  const [first] = uses;
  if (first === undefined) return [];
  const { manifests } = await kustomizeFolder(path, reader);
  const objects = await Promise.all(
    manifests.map(async (file) => kubernetesObjects((await reader.read(file)) ?? "", file) ?? []),
  );
  const { cluster, set } = first;
  const on = showSome(new Set(uses.map((use) => use.cluster.name)));
  return objects.flat().flatMap((object) => {
    const moves = movement(object);
    if (moves === undefined) return [];
    const message = `${object.file}: ${object.kind} ${object.name} ${moves} at any time, which window ${set.window} does not hold (on ${on}); pin it`;
    return [{ severity: "warning", path: ["clusters", cluster.name, "sets", set.name, "window"], message }];
  });
}

const exact = /^=? *v?\d+\.\d+\.\d+([-+][-+.\w]*)?$/;

/** How an object changes without a commit to the set; undefined for one that does not. */
function movement({ group, kind, spec }: KubernetesObject): string | undefined {
  if (group === "image.toolkit.fluxcd.io")
    return kind === "ImageUpdateAutomation" ? "commits new images" : undefined;
  if (group === "helm.toolkit.fluxcd.io" && kind === "HelmRelease") {
    const chart = asMap(asMap(spec["chart"])["spec"]);
    if (asText(chart["reconcileStrategy"]) === "Revision") return "follows each revision of its chart";
    const version = asText(chart["version"]);
    if (spec["chart"] === undefined || (version !== undefined && exact.test(version))) return undefined;
    return version === undefined ? "follows the newest chart" : `follows the chart version ${version}`;
  }
  if (group !== "source.toolkit.fluxcd.io") return undefined;
  const { tag, commit, digest, semver, branch } = asMap(spec["ref"]);
  if (kind === "Bucket") return "follows its bucket";
  if (kind !== "GitRepository" && kind !== "OCIRepository") return undefined;
  if (commit !== undefined || digest !== undefined) return undefined;
  if (semver !== undefined) return `follows ${asText(semver)}`;
  if (tag !== undefined && tag !== "latest") return undefined;
  return kind === "OCIRepository" ? "follows the tag latest" : `follows branch ${asText(branch) ?? "master"}`;
}
