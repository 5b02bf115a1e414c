/** By which way a change reaches a set of a cluster. Paths are from the root of the repository; `{folder}` is the cluster's. */
export type Way =
  /** A file that an update writes or takes out. */
  | { readonly way: "generated"; readonly files: readonly string[] }
  /** Files that the set takes from the repository, through kustomize's references. */
  | { readonly way: "path"; readonly files: readonly string[] }
  | { readonly way: "app"; readonly names: readonly string[] }
  /** Variables that a manifest of the set has in it. */
  | { readonly way: "variable"; readonly names: readonly string[] }
  /** What an update changes beside Git, such as `bootstrap.interval`. */
  | { readonly way: "cluster"; readonly fields: readonly string[] }
  /** The set, or the cluster with it, comes or goes. */
  | { readonly way: "added" }
  | { readonly way: "removed" }
  /** Nobody could look, so it counts as reached. */
  | { readonly way: "unknown"; readonly message: string };

/** What keeps a change from a set: the branch that its cluster follows, which gets it by promotion, or a pin. */
export type HeldBy = { readonly branch: string } | { readonly source: string; readonly pin: string };

/** A set with the clusters that a change reaches there alike. The set `bootstrap` is the flux folder. */
export interface ReachedSet {
  readonly set: string;
  readonly clusters: readonly string[];
  readonly ways: readonly Way[];
}

/** A set that the change would reach, did nothing hold it. */
export interface HeldSet {
  readonly set: string;
  readonly clusters: readonly string[];
  readonly by: HeldBy;
}

/** A stage with reached clusters: how many, of how many. */
export interface ReachedStage {
  readonly name: string;
  readonly production: boolean;
  readonly clusters: number;
  readonly of: number;
}

/** A word of the old fleet file that holds production, such as `stages.prod.production`, and what became of it. */
export interface LostGuard {
  readonly guard: string;
  readonly message: string;
}

/** What a change of a fleet and its repository reaches at once, and what it does not. */
export interface Impact {
  /** Branch that the change goes to. */
  readonly into: string;
  readonly reached: readonly ReachedSet[];
  readonly held: readonly HeldSet[];
  readonly stages: readonly ReachedStage[];
  /** Guards of production that the change takes away or loosens, in whatever clusters it reaches. */
  readonly lostGuards: readonly LostGuard[];
  /** Names of all reached clusters, in the order of the fleet file. */
  readonly clusters: readonly string[];
}
