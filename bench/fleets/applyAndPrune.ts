import type { Builder, SourceTree } from "../../build/index.ts";
import {
  type AppliedObject,
  type ClusterState,
  clusterState,
  renderedFiles,
  treeWith,
} from "../../checks/applied/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { FoundCluster } from "../../import/index.ts";
import { builtObject, identityOf } from "../../judge/index.ts";

/** What a cluster would be without after the imported fleet has taken over, and what would be another one. */
export interface Simulated {
  /** Objects that run today as part of what was taken. */
  readonly objects: number;
  /** Those that nothing applies any more, so that they are pruned. */
  readonly gone: readonly string[];
  readonly changed: readonly string[];
  /** Kustomizations that could not be built on either side, with the reason. */
  readonly unbuilt: readonly string[];
}

/**
 * Applies and prunes on paper: what the old root applies, Kustomization by Kustomization, against what the generated flux
 * folder applies. What was left out, and says so, goes on by itself, with all that it applies.
 */
export async function applyAndPrune(
  fleet: Fleet,
  cluster: Cluster,
  { folder = "", root }: FoundCluster,
  { tree, builder }: { readonly tree: SourceTree; readonly builder: Pick<Builder, "build" | "substitute"> },
): Promise<Simulated> {
  const { url } = fleet.repository;
  const flux = { version: "2.7", lockdown: false };
  const name = root?.name ?? "flux-system";
  const today = await clusterState(
    {
      fluxFolder: folder,
      config: root?.source ?? "flux-system",
      flux,
      root: { name, spec: { ...root?.spec, path: `./${folder}` } },
    },
    { tree, branch: "main", url },
    builder,
  );
  const files = renderedFiles({ ...fleet, clusters: [cluster] }).get(cluster)!;
  const after = await clusterState(
    cluster,
    {
      tree: treeWith(tree, new Map([...files, ...(await taken(tree))]), new Set()),
      branch: cluster.follows,
      url,
    },
    builder,
  );
  return compared(today, after, name, new Set(cluster.sets.map((set) => set.name)));
}

/** The line that import asks for where the repository keeps new folders from its clusters. */
async function taken(tree: SourceTree): Promise<ReadonlyMap<string, string>> {
  const [text] = (await tree.read([".sourceignore"])).values();
  if (text === undefined) return new Map();
  return new Map([[".sourceignore", `${new TextDecoder().decode(text)}\n!/fleet/\n`]]);
}

function compared(
  today: ClusterState,
  after: ClusterState,
  root: string,
  taken: ReadonlySet<string>,
): Simulated {
  const isSet = (name: string): boolean => taken.has(name);
  const old = new Map(
    today.sets.filter(({ name }) => isSet(name)).map((set) => [set.name, set.objects] as const),
  );
  const fresh = new Map(after.sets.map((set) => [set.name, set.objects] as const));
  const applied = new Map([...fresh.values()].flat().map((each) => [keyOf(each), each]));
  const gone: string[] = [];
  const changed: string[] = [];
  const all = [...old].filter(([name]) => fresh.has(name)).flatMap(([, objects]) => objects);
  for (const each of all) {
    // Two sets may apply one object, each in its own way.
    const now = fresh.get(each.set)!.find((one) => keyOf(one) === keyOf(each)) ?? applied.get(keyOf(each));
    if (now === undefined) gone.push(keyOf(each));
    else if (JSON.stringify(now.object) !== JSON.stringify(each.object)) changed.push(keyOf(each));
  }
  const dark = (name: string): boolean => isSet(name) && !(old.has(name) && fresh.has(name));
  const reasons = [...today.unbuilt, ...after.unbuilt].filter(({ set }) => dark(set));
  for (const name of taken)
    if (dark(name) && !reasons.some(({ set }) => set === name))
      gone.push(
        `Kustomization ${name} below ${root}: it is not on ${old.has(name) ? "the new" : "the old"} side`,
      );
  return {
    objects: all.length,
    gone,
    changed,
    unbuilt: reasons.map(({ set, message }) => `${set}: ${message}`),
  };
}

function keyOf({ object }: AppliedObject): string {
  return identityOf(builtObject(object));
}
