import type { PlainMap } from "../fleet/model.ts";
import type { Word } from "./words.ts";

/** Who told: Azure, the cluster's own API, or Git alone, which knows what is wanted and nothing of what runs. */
export type Source = "azure" | "cluster" | "git";

/** What a cluster should run: the tip of the branch that it follows, and its pins. */
export interface Wanted {
  readonly branch: string;
  /** Tip of the branch; absent where Git did not answer, or has no such branch. */
  readonly commit?: string;
  /** When that commit was made, ISO. */
  readonly committedAt?: string;
  /** Refs of the sources that are not the tip, by name: `{ infrastructure: { tag: "v0.1.0" } }`. */
  readonly pins: Readonly<Record<string, PlainMap>>;
  /** Names of the sets whose Kustomization the branch holds; absent where Git did not answer. */
  readonly sets?: readonly string[];
  /** Why Git did not answer. */
  readonly fault?: string;
}

/** A set, or another Flux object that a cluster cannot do without. */
export interface PartState {
  readonly name: string;
  readonly word: Word;
  /** Flux's reason and message, or ours, in one line; absent for what is ready. */
  readonly reason?: string;
  /** What that means. */
  readonly meaning?: string;
  /** What to do. */
  readonly next?: string;
  /** Since when Flux says so, ISO. */
  readonly since?: string;
  /** What it runs, as Flux writes it: `main@sha1:4f2c…`. */
  readonly revision?: string;
  /** Whether Flux calls it ready at that revision, whatever it should run. */
  readonly healthy: boolean;
}

export interface SetState extends PartState {
  /** Whether it takes its manifests from the tip of the branch that the cluster follows, not from a pin. */
  readonly followsTip: boolean;
  /** Its maintenance window. */
  readonly window?: string;
}

/** Another Flux object: the bootstrap, a source, a window, a HelmRelease that a set applied. */
export interface OtherState extends PartState {
  readonly kind: string;
}

/** Something that somebody should know, and that changes no word. */
export interface Note {
  readonly text: string;
  /** A command, or what else to do. */
  readonly next?: string;
  /** Whether somebody edited an object on the cluster. */
  readonly edited?: boolean;
}

/** A maintenance window of a cluster. */
export interface WindowStatus {
  readonly name: string;
  /** Zone whose clock it goes by. */
  readonly timeZone: string;
  /** Whether it is open by the clock: its source is fetched every ten minutes then. */
  readonly open: boolean;
  /** When it opened, or closed last, ISO. */
  readonly since?: string;
  /** When it closes, or opens next, ISO; absent where it does not within a year. */
  readonly until?: string;
  /** Openings over since the last fetch, none of which fetched; absent where the source does not tell, as Azure. */
  readonly missed?: number;
  /** Whether a job that was killed left its source open. */
  readonly leftOpen?: boolean;
  /** Day on which a freeze of it ends. */
  readonly frozenUntil?: string;
}

/** What one cluster should run and runs. */
export interface ClusterState {
  readonly cluster: string;
  readonly stage?: string;
  readonly word: Word;
  /** Why the word is not `ready`; absent where it is. */
  readonly reason?: string;
  readonly since?: string;
  readonly wanted: Wanted;
  /** Revisions that were applied, as Flux writes them. */
  readonly runs: {
    /** By the bootstrap: the Flux objects themselves. */
    readonly bootstrap?: string;
    /** By the sets that follow the tip, where all agree. */
    readonly sets?: string;
    /** The folder that the bootstrap applies, from the root, where that is known for certain. */
    readonly folder?: string;
  };
  readonly sets: readonly SetState[];
  readonly others: readonly OtherState[];
  readonly notes: readonly Note[];
  readonly windows: readonly WindowStatus[];
  /** Whether the fleet file has it idle: its sets run nothing, but for those that say otherwise. */
  readonly idle?: true;
  readonly source: Source;
  /** When the source last heard of the cluster, ISO; absent where it never did. */
  readonly asOf?: string;
  /** Version of Flux on the cluster, such as `2.7`, where the source tells. */
  readonly flux?: string;
}
