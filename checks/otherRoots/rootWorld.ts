import type { Builder, SourceTree } from "../../build/index.ts";
import { type Cluster, fluxNamespace } from "../../fleet/model.ts";
import {
  type AppliedSet,
  type ClusterState,
  clusterState,
  type ObjectChange,
  stateChanges,
  type StateSource,
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

type Reference = Parameters<NonNullable<StateSource["inSource"]>>[0];

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
      { ...source, tree, inSource: (reference) => (isElsewhere(reference, root) ? tree : undefined) },
      builder,
    );
  const [old, built] = await Promise.all([state(before), state(after)]);
  // A suspended root builds nothing anew: what it has brought stays as it is.
  const isStill = root.isSuspended && built.unbuilt.some(({ set }) => set === root.name);
  const fresh = isStill ? old : built;
  const deleted = stateChanges(old, fresh).objects.filter(({ what }) => what === "deleted");
  return { root, before: old, after: fresh, deleted };
}

/** Whether a reference names the source of a root that is not in flux-system. */
function isElsewhere({ kind, name, namespace = fluxNamespace }: Reference, root: OtherRoot): boolean {
  const isNamed = kind === "GitRepository" && name === root.source && namespace === root.sourceNamespace;
  return isNamed && namespace !== fluxNamespace;
}

/** Whether Flux applies a set today: what a suspended root has brought runs on. */
export function isRunning({ spec }: AppliedSet): boolean {
  return spec["suspend"] !== true;
}
