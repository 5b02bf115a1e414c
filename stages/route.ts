import type { Cluster, Fleet, Stage } from "../fleet/model.ts";
import { show, showNames } from "../values/show.ts";
import { StageError } from "./stageError.ts";

/** Where a stage takes from. */
export interface Route {
  readonly stage: Stage;
  /** The stage before; absent where it takes from the branch that is committed to. */
  readonly before?: Stage;
  /** What comes before: a stage's name and branch, or the branch that is committed to. */
  readonly from: { readonly name: string; readonly branch: string };
  readonly clusters: readonly Cluster[];
}

/** The stage of a name, with where it takes from. Throws StageError. */
export function routeOf(fleet: Fleet, name: string): Route {
  const stage = stageOf(fleet, name);
  const { branch } = fleet.repository;
  if (stage.branch === branch)
    throw new StageError(
      `Stage ${name} follows ${branch}, which updates commit to, so nothing is promoted to it. Give it a branch of its own in stages.${name}.branch.`,
    );
  const before = fleet.stages.find((one) => one.name === stage.after);
  return {
    stage,
    ...(before !== undefined && { before }),
    from: before === undefined ? { name: branch, branch } : { name: before.name, branch: before.branch },
    clusters: clustersOf(fleet, stage),
  };
}

/** Throws StageError where there is none of that name. */
export function stageOf(fleet: Fleet, name: string): Stage {
  const stage = fleet.stages.find((one) => one.name === name);
  if (stage !== undefined) return stage;
  const names = showNames(fleet.stages.map((one) => one.name)) || "none";
  throw new StageError(`The fleet file has no stage ${show(name)}. Its stages: ${names}.`);
}

export function clustersOf({ clusters }: Fleet, stage: Pick<Stage, "name" | "ring">): readonly Cluster[] {
  return clusters.filter((cluster) => isIn(cluster, stage));
}

/** Whether a cluster is in a stage, or in the ring that it is. */
export function isIn(
  cluster: Pick<Cluster, "stage" | "ring">,
  { name, ring }: Pick<Stage, "name" | "ring">,
): boolean {
  return ring === undefined
    ? cluster.stage === name
    : cluster.stage === ring.stage && cluster.ring === ring.name;
}

/** The rings of a stage in their order; none where it has none. */
export function ringsOf({ stages }: Pick<Fleet, "stages">, stage: string): readonly Stage[] {
  return stages.filter(({ ring }) => ring?.stage === stage);
}

/** The stages on the way from the branch that is committed to up to a stage, which is the last; those that follow it left out. */
export function wayTo(fleet: Fleet, stage: Stage): readonly Stage[] {
  const before = fleet.stages.find(({ name }) => name === stage.after);
  const way = before === undefined ? [] : wayTo(fleet, before);
  return stage.branch === fleet.repository.branch ? way : [...way, stage];
}
