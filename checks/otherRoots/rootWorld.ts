import type { Builder, SourceTree } from "../../build/index.ts";
import { type Cluster, type ClusterSet, fluxNamespace, kustomizationName } from "../../fleet/model.ts";
import {
  type AppliedSet,
  type ClusterState,
  clusterState,
  type ObjectChange,
  stateChanges,
  type StateSource,
  type Unbuilt,
} from "../applied/index.ts";
import type { PinnedTrees } from "../pinnedTrees.ts";
import type { OtherRoot } from "./readRoots.ts";

/** What a root of others applies, all that its sets apply with it, before an update and after. */
export interface RootWorld {
  readonly root: OtherRoot;
  readonly before: ClusterState;
  readonly after: ClusterState;
  /** What Flux deletes once the root has applied the update. */
  readonly deleted: readonly ObjectChange[];
}

/** Where roots are built. */
export interface Worlds {
  readonly before: SourceTree;
  readonly after: SourceTree;
  readonly branch: string;
  readonly url: string;
  readonly pinned: PinnedTrees;
  /** Shared by all roots: what they bring alike is filled once. */
  readonly fills: StateSource["fills"];
}

/** Applies a root and prunes after it, as Flux would, before and after an update. */
export async function rootWorld(
  root: OtherRoot,
  { before, after, ...source }: Worlds,
  builder: Pick<Builder, "build" | "substitute">,
): Promise<RootWorld> {
  const { flux } = (root.runsOn ?? root.covers[0]) as Cluster;
  const state = (tree: SourceTree): Promise<ClusterState> =>
    clusterState(
      { fluxFolder: root.folder, config: root.source, flux, root },
      { ...source, tree, inSource: (reference) => (isOwnSource(reference, root) ? tree : undefined) },
      builder,
    );
  const [old, built] = await Promise.all([state(before), state(after)]);
  // A suspended root builds nothing anew: what it has brought stays as it is.
  const isStill = root.isSuspended && built.unbuilt.some((each) => isRootItself(each, root));
  const fresh = isStill ? old : built;
  const deleted = stateChanges(old, fresh).objects.filter(({ what }) => what === "deleted");
  return { root, before: old, after: fresh, deleted };
}

/** Whether a reference names the source of the root, outside of flux-system: there `config` says so. */
function isOwnSource(
  { kind, name, namespace = fluxNamespace }: ClusterSet["sourceRef"],
  root: OtherRoot,
): boolean {
  const isNamed = kind === "GitRepository" && name === root.source && namespace === root.sourceNamespace;
  return isNamed && namespace !== fluxNamespace;
}

/** What tells one Kustomization of a cluster from all others: two namespaces may have the same name. */
export function keyOf({ name, namespace }: Pick<AppliedSet, "name" | "namespace">): string {
  return kustomizationName(name, namespace);
}

/** The same of what could not be built. */
export function unbuiltKey({ set, namespace }: Unbuilt): string {
  return kustomizationName(set, namespace);
}

/** Whether what could not be built is the root's own Kustomization, and not one that it brings. */
export function isRootItself(unbuilt: Unbuilt, root: OtherRoot): boolean {
  return unbuiltKey(unbuilt) === keyOf(root);
}

/** Whether Flux applies a set today: what a suspended root has brought runs on. */
export function isRunning({ spec }: AppliedSet): boolean {
  return spec["suspend"] !== true;
}
