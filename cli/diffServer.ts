import {
  type ClusterChanges,
  clusterState,
  type ClusterState,
  type ObjectChange,
  serverChange,
} from "../checks/applied/index.ts";
import type { Look } from "../checks/checkRepository.ts";
import { type Cluster, fluxNamespace, namespaceOf, type PlainMap } from "../fleet/model.ts";
import { ownerLabels } from "../flux/owner.ts";
import { inParallel, type KubernetesApi } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { openApi } from "./clusterApi.ts";

/** A laptop asks this many things of a cluster at once. */
const atOnce = 8;

/**
 * What the API servers of clusters say that Flux would change there: every object of every set is applied as a dry run, in
 * Flux's name. Objects that Flux would delete are not among them. Clusters are asked one after the other.
 */
export async function serverChanges(
  clusters: readonly Cluster[],
  url: string,
  { after, pinned, builder }: Look,
  open: (cluster: Cluster) => Promise<KubernetesApi> = openApi,
): Promise<ClusterChanges[]> {
  // All of them, before anything is asked: a context that is missing is said at once.
  const apis = new Map<Cluster, KubernetesApi>();
  for (const cluster of clusters) apis.set(cluster, await open(cluster));
  const changes: ClusterChanges[] = [];
  for (const [cluster, api] of apis) {
    const { follows } = cluster;
    const state = await clusterState(
      cluster,
      { tree: after(follows), branch: follows, url, pinned },
      builder,
    );
    changes.push({ clusters: [cluster.name], ...(await dryRuns(state, cluster, api)) });
  }
  return changes.filter(({ objects, unbuilt }) => objects.length + unbuilt.length > 0);
}

async function dryRuns(
  { sets, unbuilt }: ClusterState,
  cluster: Pick<Cluster, "sets">,
  api: KubernetesApi,
): Promise<Omit<ClusterChanges, "clusters">> {
  const objects: ObjectChange[] = [];
  const namespaces = new Map(cluster.sets.map((one) => [one.name, namespaceOf(one)]));
  const refused = [...unbuilt];
  const all = sets.flatMap((set) => set.objects);
  const fresh = new Set(
    all.filter(({ object }) => object["kind"] === "Namespace").map(({ object }) => nameOf(object)),
  );
  await inParallel(all, atOnce, async (applied) => {
    const { object, set } = applied;
    const name = `${asText(object["kind"])} ${nameOf(object)}`;
    if (object["sops"] !== undefined) {
      refused.push({ set, kind: "notJudged", message: `${name} is encrypted, and only Flux can read it` });
      return;
    }
    const { before, after } = await api.dryRun(marked(object, set, namespaces.get(set)));
    // Nothing can be tried in a Namespace that comes with the same update.
    const comes =
      "refused" in after &&
      fresh.has(/^namespaces "(.+)" not found$/.exec(String(after["refused"]))?.[1] ?? "");
    if ("refused" in after && !comes)
      refused.push({ set, kind: "fault", message: `${name} is refused: ${String(after["refused"])}` });
    else objects.push(...serverChange(applied, before as PlainMap | undefined, after as PlainMap));
  });
  return {
    objects: objects.sort((one, other) => (one.kind + one.name < other.kind + other.name ? -1 : 1)),
    unbuilt: refused,
  };
}

/** As kustomize-controller applies it: with the labels by which it knows what is its own. */
function marked(object: PlainMap, set: string, namespace: string = fluxNamespace): PlainMap {
  const metadata = asMap(object["metadata"]) as PlainMap;
  const labels = {
    ...(metadata["labels"] as PlainMap | undefined),
    [ownerLabels.name]: set,
    [ownerLabels.namespace]: namespace,
  };
  return { ...object, metadata: { ...metadata, labels } };
}

function nameOf(object: PlainMap): string {
  return String(asMap(object["metadata"])["name"]);
}
