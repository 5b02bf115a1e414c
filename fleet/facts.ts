/**
 * What the program says of a fleet as a whole: what no single resource tells, and what took the repository to see. Policies
 * set thresholds on it; `arcflux:index:Fleet` carries it.
 */
export interface FleetFacts {
  readonly clusters: Readonly<Record<string, ClusterFacts>>;
  readonly stages: readonly StageFacts[];
  /** Clusters that the update reaches at once, by name; those of other stages get it by promotion. Undefined where nobody could look. */
  readonly changed?: readonly string[];
  /** Deletions that the fleet file confirms and this update makes, in words. */
  readonly deletions: readonly string[];
  /** Freezes that the update passes, since somebody said why. */
  readonly freezes: readonly PassedFreeze[];
}

export interface ClusterFacts {
  readonly stage?: string;
  /** Minor version of Flux. */
  readonly flux: string;
  /** Only where it is not `active`. */
  readonly lifecycle?: string;
  /** Kustomizations that exist on the cluster without being in the fleet file. */
  readonly external?: readonly string[];
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
