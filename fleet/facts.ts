/**
 * What the program says of a fleet as a whole: what no single resource tells, and what took the repository to see. Policies
 * set thresholds on it; `arcflux:index:Fleet` carries it.
 */
export interface FleetFacts {
  readonly clusters: Readonly<Record<string, ClusterFacts>>;
  readonly stages: readonly StageFacts[];
  /** What an update does. Undefined where nobody could look, and where each cluster that it reaches is told apart. */
  readonly update?: UpdateFacts;
}

/** What of an update goes with the files of one cluster. */
export type ClusterUpdate = Pick<FleetFacts, "stages" | "update">;

/** What an update does as a whole, seen before it does anything. */
export interface UpdateFacts {
  /** How many clusters it reaches at once, by stage: those of other branches get it by promotion, and new ones have nothing to lose. */
  readonly reach: readonly StageReach[];
  /** Deletions that the fleet file confirms, in words. */
  readonly deletions: readonly string[];
  /** Freezes that it passes, since somebody said why. */
  readonly freezes: readonly PassedFreeze[];
  /** The limit that it passes, since somebody said why. */
  readonly limit?: PassedLimit;
}

export interface StageReach {
  /** Undefined for clusters without one. */
  readonly stage?: string;
  readonly reached: number;
  /** All clusters of the stage that the fleet file has, whatever part of them a stack takes. */
  readonly of: number;
}

export interface ClusterFacts {
  readonly stage?: string;
  /** Minor version of Flux. */
  readonly flux: string;
  /** Only where it is not `active`. */
  readonly lifecycle?: string;
  /** Kustomizations that exist on the cluster without being in the fleet file. */
  readonly external?: readonly string[];
  /** Name of its Flux configuration, and of the source that is made with it. */
  readonly config: string;
  /** Sources in Flux's namespace that exist on the cluster without being in the fleet file: `GitRepository/vendor`. */
  readonly externalSources?: readonly string[];
}

export interface StageFacts {
  readonly name: string;
  readonly after?: string;
  /** Fields that differ from the stage before and may not, a line each. */
  readonly differs: readonly string[];
  /** Pins that no cluster of the stage before has, or had: `infrastructure at tag v1.5.0`. */
  readonly unproven: readonly string[];
}

export interface PassedFreeze {
  readonly name: string;
  readonly until: string;
  readonly reason: string;
  readonly clusters: readonly string[];
  /** Why it was passed. */
  readonly emergency: string;
}

export interface PassedLimit {
  /** `limits.clustersPerUpdate` */
  readonly most: number;
  readonly reached: number;
  /** Why it was passed. */
  readonly reason: string;
}
