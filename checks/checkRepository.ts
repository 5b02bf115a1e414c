import type { Builder, SourceTree } from "../build/index.ts";
import type { UpdateFacts } from "../fleet/facts.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { fullPath } from "../values/path.ts";
import { treeWith } from "./applied/treeWith.ts";
import { checkAppResources } from "./appResources.ts";
import { type BuiltOptions, type Judged, missingEngine, openBuilt } from "./built/index.ts";
import {
  judgedDeletions,
  type JudgedDeletions,
  type JudgeOptions,
  judgeDeletions,
  type Verdict,
} from "./deletions/index.ts";
import { carriedSecrets } from "./carriedSecrets.ts";
import type { Fault } from "./fault.ts";
import { changeLines, type FileChange, fileChanges, withoutKept } from "./fileChanges.ts";
import { checkLimits, type LimitOptions } from "./checkLimits.ts";
import { checkFluxFolders, type Render } from "./fluxFolders.ts";
import { checkFolderOwners, type FollowedFolder, type FolderOwners, type Writer } from "./folderOwners.ts";
import type { Others } from "./generatedFiles.ts";
import { checkHandEdits } from "./handEdits.ts";
import { filesToPromote } from "./missingFiles.ts";
import { checkOtherRoots, rootBranches } from "./otherRoots/index.ts";
import { overlay } from "./overlay.ts";
import type { PinnedTrees } from "./pinnedTrees.ts";
import { type RepositoryReaders, repositoryReaders } from "./repositoryReader.ts";
import type { RepositoryTrees } from "./repositoryTree.ts";
import { checkSetBack } from "./setBack.ts";
import { checkSetPaths } from "./setPaths.ts";
import { checkStrayFolders } from "./strayFolders.ts";
import { type Decided, writeFaults } from "./writeFaults.ts";

/** How far the checks against a repository go. */
export interface RepositoryChecks extends JudgeOptions, LimitOptions {
  /**
   * What is looked at beside what the sets apply: `deletions` alone, for an update; `folders` as well, and what else is
   * written where. Defaults to `folders`.
   */
  readonly extent?: "deletions" | "folders";
  /** Whether warnings will stop somebody: then a removal that the fleet file names is none. Defaults to false. */
  readonly strict?: boolean;
  /** How sets are built. */
  readonly built?: BuiltOptions;
  /** What it means that there is nothing to build with, where the update changes running sets. Defaults to `warn`. */
  readonly noEngine?: "warn" | "stop";
  /** What a file that was not generated means where an update would write another. Defaults to `error`. */
  readonly others?: Others;
  /** The folder that a cluster applies, as Azure or the cluster says. Defaults to nobody being asked. */
  readonly folderOf?: FollowedFolder;
  /** Who will write, where that is known. */
  readonly writer?: Writer & Decided;
  /** Generated files of a cluster. Defaults to `renderClusterFolder`; hand in files that are rendered already. */
  readonly render?: Render;
  /** Called once the checks have ended, and again where the repository has to be read anew. */
  readonly look?: (look: Look) => Promise<void>;
}

/** What the checks look at, for those who want to see more than a verdict. */
export interface Look {
  readonly trees: RepositoryTrees;
  /** The repository at a pin. */
  readonly pinned: PinnedTrees;
  /** Clusters whose files the update writes or takes out. */
  readonly changed: ReadonlySet<Cluster>;
  /** Clusters that the update changes something of, be it at once or by promotion; new ones are not among them. */
  readonly reached: readonly Cluster[];
  /** What it passes, since somebody says why, and the deletions that `removed` confirms. */
  readonly passed: Omit<UpdateFacts, "reach">;
  /** A branch with what the update commits, be it at once or by promotion. */
  readonly after: (branch: string) => SourceTree;
  /** Rejects with EngineMissing where there is nothing to build with. */
  readonly builder: Pick<Builder, "build" | "substitute">;
}

/** What was found, and what of the repository an update has to keep. */
export interface CheckedRepository
  extends Pick<Verdict, "kept">, Pick<FolderOwners, "released" | "waiting">, Pick<Judged, "elsewhere"> {
  readonly faults: readonly Fault[];
  /** Files, from the root, that a cluster gets by promotion alone, by its name; see filesToPromote. */
  readonly toPromote: ReadonlyMap<string, readonly string[]>;
  /** What an update would change in Git, a line for each kind of change; empty where only deletions are looked at. */
  readonly changes: readonly string[];
  /** What an update may delete; undefined where the branch that is committed to is not there. */
  readonly mayDelete: JudgedDeletions | undefined;
}

/**
 * Checks a fleet against the repository that it will be committed to, and the branches that its clusters follow. Changes
 * nothing. Rejects with whatever a tree rejects with where it cannot be read.
 *
 * - errors: what goes away with what it applied, unless `removed` names it; files of others that are in the way (see
 *   `others`), define the same object twice, close a loop of dependsOn, or keep kustomize from taking what is generated
 * - warnings: what goes away as `removed` says, or stays for now; folders of sets that are not there under that exact case,
 *   folders without a set
 * - both: what the judgements of judge/ find in what the sets apply
 */
export async function checkRepository(
  fleet: Fleet,
  trees: RepositoryTrees,
  {
    extent = "folders",
    strict = false,
    others = "error",
    writer = {},
    folderOf,
    render = (cluster) => renderClusterFolder(cluster, fleet),
    emergency,
    all: unlimited,
    built: options,
    noEngine = "warn",
    look,
    ...judging
  }: RepositoryChecks = {},
): Promise<CheckedRepository> {
  const readers = repositoryReaders(trees);
  const { committed } = readers;
  const carried = new Map<string, Readonly<Record<string, string>>>();
  const rendered = new Map(
    await Promise.all(
      fleet.clusters.map(async (cluster) => {
        const files = filesOf(cluster, render(cluster));
        const sealed = await carriedSecrets(cluster, files, committed);
        if (Object.keys(sealed).length === 0) return [cluster, files] as const;
        carried.set(cluster.name, sealed);
        return [cluster, new Map([...files, ...Object.entries(sealed)])] as const;
      }),
    ),
  );
  const built = openBuilt(fleet, trees, readers, rendered, options);
  try {
    const ownership = {
      branches: rootBranches(fleet, trees, readers),
      declared: judging.whose?.declared ?? fleet.clusters,
      rendered,
      subjects: built.subjects,
      builder: built.builder,
      pinned: built.pinned,
    };
    const changing = committed === undefined ? Promise.resolve([]) : fileChanges(rendered, committed);
    const [deletions, owners, toPromote, edits, roots, found, limits, judged, all] = await Promise.all([
      judgeDeletions(fleet, readers, rendered, { ...judging, leaving: built.leaving }),
      checkFolderOwners(fleet, readers, writer, folderOf),
      filesToPromote(rendered, fleet.repository.branch, readers.followed),
      committed === undefined ? [] : checkHandEdits(rendered, committed),
      checkOtherRoots(fleet, ownership),
      extent === "deletions" ? [] : checkTree(fleet, readers, rendered, { others, render, writer }),
      changing.then((made) => checkLimits(fleet, made, committed, { writer, emergency, all: unlimited })),
      built.judge(),
      changing,
    ]);
    const changes = extent === "deletions" ? [] : all;
    // Where every warning is an error, what is decided must not be one: there would be no way left to remove a set.
    const decided = strict ? [] : [...deletions.decided, ...edits];
    const missing =
      judged.noEngine === undefined
        ? []
        : await missingEngine(fleet, readers.followed, rendered, { message: judged.noEngine, how: noEngine });
    const told = { trees, rendered, changes, kept: deletions.kept };
    const back = await checkSetBack(fleet, changes, writer, trees.committed);
    await look?.({
      ...after(told),
      reached: limits.reached,
      passed: { ...limits.passed, deletions: deletions.confirmed },
      ...{ trees, pinned: built.pinned, builder: built.builder },
    });
    const ours = [
      ...owners.faults,
      ...deletions.faults,
      ...decided,
      ...limits.faults,
      ...back,
      ...roots,
      ...found,
    ];
    return {
      faults: [...ours, ...missing, ...judged.faults],
      kept: joined(deletions.kept, carried),
      released: owners.released,
      waiting: owners.waiting,
      toPromote,
      mayDelete: committed && (await judgedDeletions(rendered, committed, owners.released)),
      elsewhere: judged.elsewhere,
      changes: changeLines(withoutKept(changes, deletions.kept)),
    };
  } finally {
    await built.close();
  }
}

/** Files by cluster, of two kinds. */
function joined(one: Verdict["kept"], other: Verdict["kept"]): Verdict["kept"] {
  const all = new Map(one);
  for (const [cluster, files] of other) all.set(cluster, { ...all.get(cluster), ...files });
  return all;
}

/** What an update makes of the repository. */
function after({
  trees,
  rendered,
  changes,
  kept,
}: {
  readonly trees: RepositoryTrees;
  readonly rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>;
  readonly changes: readonly FileChange[];
  readonly kept: Verdict["kept"];
}): Pick<Look, "changed" | "after"> {
  const real = withoutKept(changes, kept);
  const written = new Map([...rendered.values()].flatMap((files) => [...files]));
  const gone = new Set(real.filter(({ sign }) => sign === "-").map(({ path }) => path));
  return {
    changed: new Set(real.map(({ cluster }) => cluster)),
    after: (branch) => treeWith(trees.followed.get(branch) ?? trees.committed, written, gone),
  };
}

/** What an update would write, and the folders that the sets take, on the branch that is committed to. */
async function checkTree(
  fleet: Fleet,
  { committed: reader }: RepositoryReaders,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  { others, render, writer }: Required<Pick<RepositoryChecks, "others" | "render" | "writer">>,
): Promise<Fault[]> {
  if (reader === undefined) return [];
  const files = new Map([...rendered.values()].flatMap((files) => [...files]));
  const after = overlay(reader, files);
  const [folders, way, paths, apps] = await Promise.all([
    checkFluxFolders(fleet, reader, render),
    writeFaults(rendered, reader, writer, { others, url: fleet.repository.url }),
    checkSetPaths(fleet, after),
    checkAppResources(fleet, after),
  ]);
  const stray = await checkStrayFolders(fleet, reader, folders.applied);
  return [...folders.faults, ...way, ...paths, ...apps, ...stray];
}

/** Generated files of a cluster by their path from the root. */
function filesOf({ folder }: Cluster, files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files).map(([path, text]) => [fullPath(folder, path), text]));
}
