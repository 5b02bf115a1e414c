import { type Cluster, type Fleet, isOwnSource, type Stage } from "../fleet/model.ts";
import { windowsFolder } from "../fleet/window/index.ts";
import { fullPath, isInside } from "../values/path.ts";
import { folder } from "../values/repositoryPath.ts";
import { show } from "../values/show.ts";
import { inFolders } from "./inFolders.ts";
import { clustersOf, isIn, ringsOf, stageOf } from "./route.ts";
import { StageError } from "./stageError.ts";

/** What of which branch goes back. */
export interface Scope {
  readonly branch: string;
  /** Name of the stage; absent for a cluster without one. */
  readonly stage?: string;
  /** Where the ring stands in the fleet file, where it is one. */
  readonly ring?: readonly ["stages", string, "rings", number];
  /** The branch before; absent for the one that updates commit to. */
  readonly from?: string;
  /** Set where one cluster goes back. */
  readonly cluster?: Cluster;
  /** Folder, file or set that goes back alone. */
  readonly only?: string;
  /** That, where it is a path and no set. */
  readonly path?: string;
  /** Everything on the branch. */
  readonly isWhole: boolean;
  /** Clusters that follow the branch and may notice. */
  readonly clusters: readonly Cluster[];
  /** Whether a path, from the root, is among what goes back. */
  readonly includes: (path: string) => boolean;
  /** Of the fleet's clusters those in whose folders some of the paths lie: every branch holds the folders of all. */
  readonly concerned: (paths: readonly string[]) => readonly Cluster[];
}

/** Throws StageError where there is no stage or cluster of that name, or nothing that `only` could mean. */
export function scopeOf(fleet: Fleet, of: string, only: string | undefined): Scope {
  const { branch } = fleet.repository;
  const cluster = fleet.stages.some(({ name }) => name === of)
    ? undefined
    : fleet.clusters.find(({ name }) => name === of);
  const stage =
    cluster === undefined ? mustBeStage(fleet, of) : fleet.stages.find((each) => isIn(cluster, each));
  const followed = stage?.branch ?? branch;
  const clusters = cluster === undefined ? (stage === undefined ? [] : clustersOf(fleet, stage)) : [cluster];
  const part = only === undefined ? undefined : partOf(only, clusters);
  const before = fleet.stages.find(({ name }) => name === stage?.after)?.branch ?? branch;
  return {
    branch: followed,
    ...(stage !== undefined && { stage: stage.name }),
    ...(stage?.ring && { ring: placeOf(fleet, stage.ring) }),
    ...(followed !== branch && { from: before }),
    ...(cluster !== undefined && { cluster }),
    ...(only !== undefined && { only }),
    ...(part?.path !== undefined && { path: part.path }),
    isWhole: cluster === undefined && part === undefined,
    clusters,
    includes: part?.includes ?? ((path) => cluster === undefined || isInside(path, cluster.folder)),
    concerned(paths) {
      const found = inFolders(
        paths.map((path) => ({ path })),
        fleet.clusters.map((one) => one.folder),
      );
      return fleet.clusters.filter((one) => found.has(one.folder));
    },
  };
}

function placeOf(fleet: Fleet, { stage, name }: NonNullable<Stage["ring"]>): NonNullable<Scope["ring"]> {
  return ["stages", stage, "rings", ringsOf(fleet, stage).findIndex(({ ring }) => ring?.name === name)];
}

function mustBeStage(fleet: Fleet, of: string) {
  try {
    return stageOf(fleet, of);
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    throw new StageError(`${show(of)} is neither a stage nor a cluster. ${error.message}`);
  }
}

/** A set of these clusters: what is generated for it, and its folder; else a path. */
function partOf(only: string, clusters: readonly Cluster[]): Pick<Scope, "includes" | "path"> {
  const sets = clusters.flatMap((cluster) =>
    cluster.sets.flatMap((set) => (set.name === only ? [{ cluster, set }] : [])),
  );
  if (sets.length > 0) {
    const folders = new Set(
      sets.flatMap(({ cluster, set }) => (isOwnSource(cluster, set) ? [folder(set.spec.path)] : [])),
    );
    const files = new Set(
      sets.flatMap(({ cluster, set }) => [
        fullPath(cluster.fluxFolder, `${only}.yaml`),
        ...(set.window === undefined
          ? []
          : [fullPath(cluster.folder, `${windowsFolder}/${set.window}/${only}.yaml`)]),
      ]),
    );
    return {
      includes: (path) => files.has(path) || [...folders].some((one) => one !== "" && isInside(path, one)),
    };
  }
  const path = folder(only);
  if (path === "" || path.startsWith(".."))
    throw new StageError(
      `--only ${show(only)} is neither a set of these clusters nor a path; write apps/pos, or pos.`,
    );
  return { path, includes: (one) => one === path || isInside(one, path) };
}
