import type { Builder } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { ClusterSubject } from "../../judge/index.ts";
import { isInside } from "../../values/path.ts";
import { printable } from "../../values/show.ts";
import { treeWith } from "../applied/index.ts";
import { EngineMissing } from "../built/index.ts";
import type { Fault } from "../fault.ts";
import type { PinnedTrees } from "../pinnedTrees.ts";
import { readInventory } from "../readInventory.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { RepositoryTree } from "../repositoryTree.ts";
import { awoken } from "./awoken.ts";
import { covered } from "./covered.ts";
import { findRoots, type OtherRoot } from "./findRoots.ts";
import { reached } from "./reached.ts";
import { type RootWorld, rootWorld } from "./rootWorld.ts";
import { takenFrom } from "./takenFrom.ts";

/** What the check needs of an update. */
export interface Ownership {
  /** The branch that is committed to. */
  readonly tree: RepositoryTree;
  readonly reader: RepositoryReader;
  /** What the update writes, by cluster, from the root. */
  readonly rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>;
  /** What every cluster applies after the update. Rejects with EngineMissing. */
  readonly subjects: () => Promise<readonly ClusterSubject[]>;
  readonly builder: Pick<Builder, "build" | "substitute">;
  readonly pinned: PinnedTrees;
}

/**
 * Errors for what would have two owners once the update is committed, or would be deleted: the roots of others are applied
 * and pruned here before Flux does so on the clusters. One that is suspended in Git applies nothing, and stands for nothing.
 *
 * - a root covers a flux folder: it would fail, delete what a generated list leaves out, or apply what the bootstrap does
 * - a set has an object that a root's set of another name applies, or lets go one that the set of its name applies today
 * - a file of the flux folder that nothing applies today comes to life
 * - a set reaches into the flux folder of another cluster
 */
export async function checkOtherRoots(fleet: Fleet, ownership: Ownership): Promise<Fault[]> {
  const { reader, rendered } = ownership;
  const roots = await findRoots(fleet.clusters, reader);
  try {
    const subjects = await ownership.subjects();
    const written = new Map([...rendered.values()].flatMap((files) => [...files]));
    const worlds = await worldsOf(roots, fleet, ownership, written);
    const ofRoots = await Promise.all(
      worlds.map(async (world) => {
        const { root } = world;
        const message = covered(world, written);
        const own = subjects.find(({ cluster }) => cluster === root.runsOn);
        if (message !== undefined || own === undefined)
          return message === undefined ? [] : [faultAt(root, message)];
        const isNew = (await readInventory(own.cluster.fluxFolder, reader)) === undefined;
        const found = [...takenFrom(world, own), ...(isNew ? awoken(world, own, written) : [])];
        return found.map((each) => faultAt(root, each));
      }),
    );
    return [...reached(subjects, rendered), ...ofRoots.flat()];
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error;
    const unseen = `applies what lies there, and nobody could look whether an update breaks that. ${error.message}`;
    return roots.map((root) => faultAt(root, `${root.label} ${unseen}`));
  }
}

/** Roots with what they apply; what a root applies itself speaks through that, and what none applies says nothing. */
async function worldsOf(
  roots: readonly OtherRoot[],
  { repository: { branch, url } }: Fleet,
  { tree, builder, pinned }: Ownership,
  written: ReadonlyMap<string, string>,
): Promise<RootWorld[]> {
  const trees = { before: tree, after: treeWith(tree, written, new Set()), branch, url, pinned };
  const worlds = await Promise.all(roots.map((root) => rootWorld(root, trees, builder)));
  return worlds.filter(
    (world) =>
      !worlds.some(
        (other) =>
          other.root.file !== world.root.file && (applies(other, world.root) || leavesOut(other, world)),
      ),
  );
}

function applies({ before }: RootWorld, { file }: Pick<OtherRoot, "file">): boolean {
  return before.sets.some(({ objects }) => objects.some((object) => object.file === file));
}

/**
 * Whether the file of a root lies where another one looks, in whose list it is not, nor in its own: then nothing has applied
 * it. Only what runs for certain says so, and has been built whole.
 */
function leavesOut(other: RootWorld, world: RootWorld): boolean {
  const runs = other.root.isSync || applies(other, other.root);
  const { root } = world;
  return (
    runs &&
    !root.isSync &&
    isInside(root.file, other.root.folder) &&
    [other, world].every(({ before }) => before.unbuilt.length === 0) &&
    !applies(world, root)
  );
}

function faultAt({ runsOn, covers }: OtherRoot, message: string): Fault {
  const cluster = (runsOn ?? covers[0])!;
  return { severity: "error", path: ["clusters", cluster.name], message: printable(message) };
}
