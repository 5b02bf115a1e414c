import { parse } from "yaml";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { sealedPath, sealedSecrets } from "../flux/secrets/folder.ts";
import { type GitContext, withTree } from "../git/index.ts";
import { type FleetStatus, hashOf } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { rotationAnnotation, versionAnnotation } from "./sealedFile.ts";

/** Which version of a secret a cluster has. Versions are told by their keyed hash, never by a value. */
export interface ClusterVersion {
  readonly cluster: string;
  /** What the branch that it follows holds; absent where that has no file. */
  readonly version?: string;
  /** Whether that one holds the two versions that the fleet file says, and not two earlier ones. */
  readonly overlaps: boolean;
  /** Whether the cluster has applied it. */
  readonly applied: "yes" | "no" | "unknown";
  /** Why not. */
  readonly reason?: string;
}

/** Which version of a secret that goes through Git each cluster has: what Git holds, and what Flux says it applied of that. */
export async function versionsOf(
  key: string,
  fleet: Fleet,
  { states, history }: Pick<FleetStatus, "states" | "history">,
  context: GitContext,
): Promise<ClusterVersion[]> {
  const clusters = fleet.clusters.filter(
    (cluster) => cluster.lifecycle === "active" && cluster.secrets?.some((one) => one.key === key),
  );
  const files = await readFiles(key, clusters, fleet, context);
  const stateOf = new Map(states.map((state) => [state.cluster, state]));
  return clusters.map((cluster): ClusterVersion => {
    const { name } = cluster;
    const file = files.get(name);
    if (file === undefined) {
      const keyless = !sealedSecrets(cluster).some((one) => one.key === key);
      const reason = keyless ? "it has no key yet" : `branch ${cluster.follows} has no file for it yet`;
      return { cluster: name, overlaps: false, applied: "no", reason };
    }
    const state = stateOf.get(name);
    const part = state?.others.find((one) => one.kind === "Kustomization" && one.name === secretsName);
    const has = hashOf(part?.revision);
    const contains =
      has === undefined || file.commit === undefined ? undefined : history.contains(has, file.commit);
    const rotation = cluster.secrets?.find((one) => one.key === key)?.rotation;
    const overlaps = rotation !== undefined && file.rotation === rotation;
    const told = { cluster: name, version: file.version, overlaps };
    if (contains === true && part?.healthy === true) return { ...told, applied: "yes" };
    const reason =
      state?.word === "offline"
        ? "offline"
        : (part?.reason ?? state?.reason ?? "it has not applied the commit");
    return { ...told, applied: contains === false || part?.healthy === false ? "no" : "unknown", reason };
  });
}

interface SealedVersion {
  readonly version: string;
  readonly rotation: string | undefined;
  readonly commit: string | undefined;
}

/** One reading of each branch, however many clusters follow it. */
async function readFiles(
  key: string,
  clusters: readonly Cluster[],
  { repository: { url } }: Fleet,
  context: GitContext,
): Promise<ReadonlyMap<string, SealedVersion>> {
  const found = new Map<string, SealedVersion>();
  for (const [branch, following] of Map.groupBy(clusters, ({ follows }) => follows))
    await withTree({ url, branch }, context, async (tree) => {
      const paths = following.map((one) => sealedPath(one, key));
      const [texts, changes] = [await tree.read(paths), await tree.lastChanges(paths)];
      for (const [index, { name }] of following.entries()) {
        const text = texts.get(paths[index]!)?.toString("utf8");
        if (text === undefined) continue;
        const annotations = asMap(asMap(asMap(parse(text))["metadata"])["annotations"]);
        found.set(name, {
          version: asText(annotations[versionAnnotation]) ?? "unknown",
          rotation: asText(annotations[rotationAnnotation]),
          commit: changes.get(paths[index]!)?.commit,
        });
      }
    });
  return found;
}
