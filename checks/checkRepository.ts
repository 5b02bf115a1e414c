import type { Fleet } from "../fleet/model.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { checkAppResources } from "./appResources.ts";
import type { Fault } from "./fault.ts";
import { checkFluxFolders, type Render } from "./fluxFolders.ts";
import type { Others } from "./generatedFiles.ts";
import { overlay } from "./overlay.ts";
import { checkRemovedSets } from "./removedSets.ts";
import { repositoryReader } from "./repositoryReader.ts";
import type { RepositoryTree } from "./repositoryTree.ts";
import { checkSetPaths } from "./setPaths.ts";
import { checkStrayFolders } from "./strayFolders.ts";
import { checkVariables } from "./variables.ts";

/** How far the checks against a repository go. */
export interface RepositoryChecks {
  /** Also read the manifests of the sets, for variables. Defaults to true. */
  readonly manifests?: boolean;
  /**
   * Whether warnings will stop somebody: then a variable that nothing defines is one also where Flux takes it as empty, and
   * a removal that the fleet file names is none. Defaults to false.
   */
  readonly strict?: boolean;
  /**
   * Whether the fleet is all of the fleet file and no part of it, so that an entry of `removed` that removes nothing is
   * worth a warning. Defaults to false.
   */
  readonly whole?: boolean;
  /** What a file that was not generated means where an update would write another. Defaults to `error`. */
  readonly others?: Others;
  /** Generated files of a cluster. Defaults to `renderClusterFolder`; hand in files that are rendered already. */
  readonly render?: Render;
}

/**
 * Checks a fleet against the repository that it will be committed to. Changes nothing. Rejects with whatever the tree
 * rejects with where it cannot be read.
 *
 * - errors: sets that go away with what they applied, unless `removed` names them; files of others that are in the way
 *   (see `others`), define the same object twice, close a loop of dependsOn, or keep kustomize from taking what is
 *   generated
 * - warnings: sets that go away as `removed` says, or in another way than was asked for; folders of sets that are not there under that exact case, folders
 *   without a set, variables that nothing uses or nothing defines
 */
export async function checkRepository(
  fleet: Fleet,
  tree: RepositoryTree,
  {
    manifests = true,
    strict = false,
    whole = false,
    others = "error",
    render = (cluster) => renderClusterFolder(cluster, fleet),
  }: RepositoryChecks = {},
): Promise<Fault[]> {
  const rendered = new Map(fleet.clusters.map((cluster) => [cluster, render(cluster)]));
  const files = new Map(
    [...rendered].flatMap(([{ folder }, files]) =>
      Object.entries(files).map(
        ([path, text]) => [folder === "" ? path : `${folder}/${path}`, text] as const,
      ),
    ),
  );
  const reader = repositoryReader(tree);
  const after = overlay(reader, files);
  const [folders, removed, paths, apps, variables] = await Promise.all([
    checkFluxFolders(fleet, reader, (cluster) => rendered.get(cluster) ?? {}, others),
    checkRemovedSets(fleet, reader, new Set(files.keys())),
    checkSetPaths(fleet, after),
    checkAppResources(fleet, after),
    manifests ? checkVariables(fleet, after, strict) : [],
  ]);
  const stray = await checkStrayFolders(fleet, reader, folders.applied);
  // Where every warning is an error, what is decided must not be one: there would be no way left to remove a set.
  const decided = strict ? [] : removed.decided;
  const stale = whole ? staleRemovals(fleet, removed.used) : [];
  return [
    ...folders.faults,
    ...removed.faults,
    ...decided,
    ...stale,
    ...paths,
    ...apps,
    ...stray,
    ...variables,
  ];
}

/** Entries of `removed` that have done their work: left there, they would decide on a set of that name to come. */
function staleRemovals({ removed }: Fleet, used: ReadonlySet<number>): Fault[] {
  const message =
    "nothing is removed by it any more: no such set goes away from the repository; take it out, lest it stands for a later set";
  return removed.flatMap((_, index): Fault[] =>
    used.has(index) ? [] : [{ severity: "warning", path: ["removed", index], message }],
  );
}
