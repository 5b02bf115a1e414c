import type { Cluster, Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { checkAppResources } from "./appResources.ts";
import { type JudgeOptions, judgeDeletions, type Verdict } from "./deletions/index.ts";
import type { Fault } from "./fault.ts";
import { checkFluxFolders, type Render } from "./fluxFolders.ts";
import { frozenClusters } from "./frozenClusters.ts";
import { checkFolderOwners, type FolderOwners, type Writer } from "./folderOwners.ts";
import type { Others } from "./generatedFiles.ts";
import { checkHandEdits } from "./handEdits.ts";
import { filesToPromote } from "./missingFiles.ts";
import { checkOtherRoots } from "./otherRoots.ts";
import { overlay } from "./overlay.ts";
import { type RepositoryReaders, repositoryReaders } from "./repositoryReader.ts";
import type { RepositoryTrees } from "./repositoryTree.ts";
import { checkSetPaths } from "./setPaths.ts";
import { checkStrayFolders } from "./strayFolders.ts";
import { checkVariables } from "./variables.ts";
import { checkWayToFiles } from "./wayToFiles.ts";
import { checkWindowContents } from "./windowContents.ts";

/** How far the checks against a repository go. */
export interface RepositoryChecks extends JudgeOptions {
  /**
   * What is looked at: `deletions` alone, for an update that was previewed or not; `folders` as well, and what else is
   * written where; `manifests` of the sets too, for variables. Defaults to `manifests`.
   */
  readonly extent?: "deletions" | "folders" | "manifests";
  /**
   * Whether warnings will stop somebody: then a variable that nothing defines is one also where Flux takes it as empty, and
   * a removal that the fleet file names is none. Defaults to false.
   */
  readonly strict?: boolean;
  /** What a file that was not generated means where an update would write another. Defaults to `error`. */
  readonly others?: Others;
  /** Who will write, where that is known. */
  readonly writer?: Writer;
  /** Generated files of a cluster. Defaults to `renderClusterFolder`; hand in files that are rendered already. */
  readonly render?: Render;
  /** Why clusters are updated although a freeze holds them: `ARCFLUX_EMERGENCY` in the environment. */
  readonly emergency?: string | undefined;
}

/** What was found, and what of the repository an update has to keep. */
export interface CheckedRepository extends Pick<Verdict, "kept">, Pick<FolderOwners, "released"> {
  readonly faults: readonly Fault[];
  /** Files, from the root, that a cluster gets by promotion alone, by its name; see filesToPromote. */
  readonly toPromote: ReadonlyMap<string, readonly string[]>;
}

/**
 * Checks a fleet against the repository that it will be committed to, and the branches that its clusters follow. Changes
 * nothing. Rejects with whatever a tree rejects with where it cannot be read.
 *
 * - errors: what goes away with what it applied, unless `removed` names it; files of others that are in the way (see
 *   `others`), define the same object twice, close a loop of dependsOn, or keep kustomize from taking what is generated
 * - warnings: what goes away as `removed` says, or stays for now; folders of sets that are not there under that exact case,
 *   folders without a set, variables that nothing uses or nothing defines
 */
export async function checkRepository(
  fleet: Fleet,
  trees: RepositoryTrees,
  {
    extent = "manifests",
    strict = false,
    others = "error",
    writer = {},
    render = (cluster) => renderClusterFolder(cluster, fleet),
    emergency,
    ...judging
  }: RepositoryChecks = {},
): Promise<CheckedRepository> {
  const rendered = new Map(fleet.clusters.map((cluster) => [cluster, filesOf(cluster, render(cluster))]));
  const readers = repositoryReaders(trees);
  const { committed } = readers;
  const [deletions, owners, toPromote, edits, found, frozen] = await Promise.all([
    judgeDeletions(fleet, readers, rendered, judging),
    checkFolderOwners(fleet, readers, writer),
    filesToPromote(rendered, fleet.repository.branch, readers.followed),
    committed === undefined ? [] : checkHandEdits(rendered, committed),
    extent === "deletions" ? [] : checkTree(fleet, readers, rendered, { extent, strict, others, render }),
    committed === undefined ? [] : frozenClusters(rendered, committed, emergency),
  ]);
  // Where every warning is an error, what is decided must not be one: there would be no way left to remove a set.
  const decided = strict ? [] : deletions.decided;
  const faults = [
    ...owners.faults,
    ...deletions.faults,
    ...decided,
    ...frozen,
    ...(strict ? [] : edits),
    ...found,
  ];
  return { faults, kept: deletions.kept, released: owners.released, toPromote };
}

/** What an update would write, and what the sets take, on the branch that is committed to. */
async function checkTree(
  fleet: Fleet,
  { committed: reader }: RepositoryReaders,
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  {
    extent,
    strict,
    others,
    render,
  }: Required<Pick<RepositoryChecks, "extent" | "strict" | "others" | "render">>,
): Promise<Fault[]> {
  if (reader === undefined) return [];
  const files = new Map([...rendered.values()].flatMap((files) => [...files]));
  const after = overlay(reader, files);
  const [folders, roots, way, paths, apps, variables, contents] = await Promise.all([
    checkFluxFolders(fleet, reader, render, others),
    checkOtherRoots(fleet, reader, files),
    checkWayToFiles(rendered, reader),
    checkSetPaths(fleet, after),
    checkAppResources(fleet, after),
    extent === "manifests" ? checkVariables(fleet, after, strict) : [],
    extent === "manifests" ? checkWindowContents(fleet, after) : [],
  ]);
  const stray = await checkStrayFolders(fleet, reader, folders.applied);
  return [...folders.faults, ...roots, ...way, ...paths, ...apps, ...stray, ...variables, ...contents];
}

/** Generated files of a cluster by their path from the root. */
function filesOf({ folder }: Cluster, files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).map(([path, text]) => [folder === "" ? path : `${folder}/${path}`, text]),
  );
}
