import type { Cluster, Fleet } from "../fleet/model.ts";

/** A branch that clusters follow, by the name that people give it. */
export interface Track {
  /** Name of the stage; of clusters without one, the branch. */
  readonly name: string;
  readonly branch: string;
  /** Branch that promotions to it come from; absent for the branch that updates commit to. */
  readonly before?: string;
}

/** The stages of a fleet, and the branch that updates commit to where clusters follow that. */
export function tracksOf(fleet: Fleet): Track[] {
  const { branch } = fleet.repository;
  const stages = fleet.stages.map(({ name, branch: own, after }): Track => {
    const before = fleet.stages.find((one) => one.name === after)?.branch ?? branch;
    return { name, branch: own, ...(before !== own && { before }) };
  });
  const isFollowed = fleet.clusters.some(({ stage }) => stage === undefined);
  return isFollowed ? [...stages, { name: branch, branch }] : stages;
}

/** The branch that a cluster follows. */
export function trackOf(fleet: Fleet, { stage, follows }: Pick<Cluster, "stage" | "follows">): Track {
  return (
    tracksOf(fleet).find(({ name }) => name === (stage ?? follows)) ?? { name: follows, branch: follows }
  );
}
