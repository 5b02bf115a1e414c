import type { Builder, SourceTree } from "../../build/index.ts";
import {
  type AppliedObject,
  type ClusterState,
  clusterState,
  renderedFiles,
  treeBelow,
  treeWith,
} from "../../checks/applied/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { FoundCluster } from "../../import/index.ts";
import { isNamed } from "../../import/roots.ts";
import { stateToday } from "../../import/whatApplies.ts";
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
  { place }: FoundCluster,
  { tree, builder }: { readonly tree: SourceTree; readonly builder: Pick<Builder, "build" | "substitute"> },
): Promise<Simulated> {
  const { url } = fleet.repository;
  const { root, follows } = place!;
  const today = await stateToday(tree, place!, builder);
  // An artifact stays what the old root took it for; what stood for the repository is the fleet's own source now.
  const artifact = treeBelow(tree, root?.base ?? "");
  const files = renderedFiles({ ...fleet, clusters: [cluster] }).get(cluster)!;
  const after = await clusterState(
    cluster,
    {
      tree: treeWith(tree, files, new Set()),
      branch: cluster.follows,
      url,
      inSource: (name) => (follows.kind === "OCIRepository" && isNamed(name, follows) ? artifact : undefined),
    },
    builder,
  );
  return compared(today, after, root?.name ?? "", new Set(cluster.sets.map((set) => set.name)));
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
  const every = [...fresh.values()].flat();
  const applied = new Map(every.map((each) => [keyOf(each), each]));
  const bySet = new Map(every.map((each) => [`${each.set}\n${keyOf(each)}`, each]));
  const gone: string[] = [];
  const changed: string[] = [];
  const all = [...old].filter(([name]) => fresh.has(name)).flatMap(([, objects]) => objects);
  for (const each of all) {
    // Two sets may apply one object, each in its own way.
    const now = bySet.get(`${each.set}\n${keyOf(each)}`) ?? applied.get(keyOf(each));
    if (now === undefined) gone.push(keyOf(each));
    // Kustomizations themselves are compared by meaning, in the import's own proof.
    else if (each.object["kind"] === "Kustomization") continue;
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
