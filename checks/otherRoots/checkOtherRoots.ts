import type { Builder } from "../../build/index.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import type { ClusterSubject } from "../../judge/index.ts";
import { folderOf } from "../../values/path.ts";
import { printable } from "../../values/show.ts";
import { treeWith, type Unbuilt } from "../applied/index.ts";
import { EngineMissing } from "../built/index.ts";
import type { Fault } from "../fault.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import type { PinnedTrees } from "../pinnedTrees.ts";
import { readInventory } from "../readInventory.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { RepositoryTree } from "../repositoryTree.ts";
import { awoken } from "./awoken.ts";
import { covered } from "./covered.ts";
import { findRoots } from "./findRoots.ts";
import type { OtherRoot } from "./readRoots.ts";
import { reached } from "./reached.ts";
import { isRootItself, type RootWorld, rootWorld } from "./rootWorld.ts";
import { takenFrom } from "./takenFrom.ts";

/** What the check needs of an update. */
export interface Ownership {
  /** The branch that is committed to, for all clusters, and each that clusters get it from by promotion, for those. */
  readonly branches: readonly RootBranch[];
  /** What the update writes, by cluster, from the root. */
  readonly rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>;
  /** All clusters of the fleet file, of which the update may take a part. */
  readonly declared: readonly Cluster[];
  /** What every cluster applies after the update. Rejects with EngineMissing. */
  readonly subjects: () => Promise<readonly ClusterSubject[]>;
  readonly builder: Pick<Builder, "build" | "substitute">;
  readonly pinned: PinnedTrees;
}

/** A branch on which others may have roots. */
export interface RootBranch {
  readonly name: string;
  readonly tree: RepositoryTree;
  readonly reader: RepositoryReader;
  readonly clusters: readonly Cluster[];
}

/**
 * Errors for what would have two owners once the update is committed, or would be deleted: the roots of others are applied
 * and pruned here before Flux does so on the clusters. One that is suspended in Git applies nothing itself; what it has
 * brought runs on, unless that is suspended too.
 *
 * - a root covers a flux folder: it would fail, delete what a generated list leaves out, or apply what the bootstrap does
 * - a set has an object that a root's set of another name applies, or lets go one that the set of its name applies today
 * - a file of the flux folder that nothing applies today comes to life
 * - a set applies generated files of another cluster
 * - a root cannot be built, so that nobody sees what it applies
 */
export async function checkOtherRoots(fleet: Fleet, ownership: Ownership): Promise<Fault[]> {
  const { branches, rendered, declared } = ownership;
  const found = await Promise.all([
    ...branches.map((branch) => checkBranch(fleet, branch, ownership)),
    ownership.subjects().then(
      (subjects) => reached(subjects, rendered, declared),
      (error: unknown) => {
        if (!(error instanceof EngineMissing)) throw error;
        return [];
      },
    ),
  ]);
  // What is the same on two branches is said once.
  return [...new Map(found.flat().map((fault) => [JSON.stringify(fault), fault])).values()];
}

async function checkBranch(fleet: Fleet, branch: RootBranch, ownership: Ownership): Promise<Fault[]> {
  const { reader, clusters } = branch;
  const roots = await findRoots(clusters, reader, fleet.repository.url);
  if (roots.length === 0) return [];
  try {
    const subjects = await ownership.subjects();
    const written = new Map([...ownership.rendered.values()].flatMap((files) => [...files]));
    const worlds = await worldsOf(roots, fleet, { ...ownership, ...branch }, written);
    const byCluster = new Map(subjects.map((each) => [each.cluster, each]));
    const ofRoots = await Promise.all(
      worlds.map(async (world) => {
        const { root } = world;
        const message = covered(world, written);
        const own = root.runsOn && byCluster.get(root.runsOn);
        if (message !== undefined || own === undefined)
          return message === undefined ? [] : [faultAt(root, message)];
        const isNew = (await readInventory(own.cluster.fluxFolder, reader)) === undefined;
        const found = [...takenFrom(world, own), ...(isNew ? awoken(world, own, written) : [])];
        return found.map((each) => faultAt(root, each));
      }),
    );
    return ofRoots.flat();
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error;
    const unseen = `applies what lies there, and nobody could look whether an update breaks that. ${error.message}`;
    return roots.map((root) => faultAt(root, `${root.label} ${unseen}`));
  }
}

/** Roots with what they apply. One that another root applies is judged as part of that; one that none applies, not at all. */
async function worldsOf(
  roots: readonly OtherRoot[],
  { repository: { url } }: Fleet,
  { tree, name: branch, builder, pinned }: RootBranch & Pick<Ownership, "builder" | "pinned">,
  written: ReadonlyMap<string, string>,
): Promise<RootWorld[]> {
  const after = treeWith(tree, written, new Set());
  const trees = { before: tree, after, branch, url, pinned, fills: new Map() };
  const worlds = await Promise.all(roots.map((root) => rootWorld(root, trees, builder)));
  const appliers = byFile(worlds);
  const appliesItself = (world: RootWorld) => appliers.get(world.root.file)?.has(world) === true;
  const isWhole = ({ before }: RootWorld) => before.unbuilt.length === 0;
  // Only what runs for certain, and has been built whole, says that it leaves something out.
  const lists = Map.groupBy(
    worlds.filter((world) => isWhole(world) && (world.root.isSync || appliesItself(world))),
    ({ root }) => root.folder,
  );
  /** Roots in whose folder the file of this one lies although nothing applies it: it is in no list, not even its own. */
  const leftOutBy = (world: RootWorld): readonly RootWorld[] => {
    const fails = (each: Unbuilt) => each.kind === "fault" && isRootItself(each, world.root);
    if (world.root.isSync || !world.before.unbuilt.every(fails) || appliesItself(world)) return [];
    return foldersDownTo(folderOf(world.root.file)).flatMap((folder) => lists.get(folder) ?? []);
  };
  return worlds.filter((world) => {
    const speaking = [...(appliers.get(world.root.file) ?? []), ...leftOutBy(world)];
    return speaking.every(({ root }) => root.file === world.root.file);
  });
}

/** Roots by the files that they apply today. */
function byFile(worlds: readonly RootWorld[]): ReadonlyMap<string, ReadonlySet<RootWorld>> {
  const found = new Map<string, Set<RootWorld>>();
  for (const world of worlds)
    for (const { file } of world.before.sets.flatMap(({ objects }) => objects))
      found.set(file, (found.get(file) ?? new Set()).add(world));
  return found;
}

function faultAt({ runsOn, covers }: OtherRoot, message: string): Fault {
  const cluster = (runsOn ?? covers[0])!;
  return { severity: "error", path: ["clusters", cluster.name], message: printable(message) };
}
