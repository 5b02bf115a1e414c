import type { Path } from "../fleet/finding.ts";
import type { ClusterSubject, Subject } from "./subject.ts";

/** What is said of a set. */
export interface Remark {
  /** What is wrong and what comes of it; what is right. Names a file of the repository first, where one is to blame. */
  readonly message: string;
  /** The field of the set that it is about. Defaults to the set as a whole. */
  readonly field?: Path | undefined;
  /** The app of the cluster that it is about, in the place of a field. */
  readonly app?: string | undefined;
  /** Where it differs from that of the judgement. */
  readonly severity?: Severity | undefined;
}

/** `error`: Flux could not build or apply it, or something is deleted or renamed. `warning`: everything else. */
export type Severity = "error" | "warning";

/** What is said of one set among all of its cluster. */
export interface ClusterRemark extends Remark {
  readonly set: string;
}

interface Named {
  /** For `--ignore NAME`. */
  readonly name: string;
  readonly severity: Severity;
  /** What it finds, and what comes of that: one sentence for the reference. */
  readonly finds: string;
}

/** Judges one set. Called once for all clusters that build the same. */
export interface SetJudgement extends Named {
  /** Whether it looks at the values of variables, so that clusters with other values are judged each. Defaults to false. */
  readonly readsVariables?: boolean;
  readonly judge: (subject: Subject) => readonly Remark[];
}

/** Judges what the sets of a cluster are to each other. */
export interface ClusterJudgement extends Named {
  readonly judgeCluster: (cluster: ClusterSubject) => readonly ClusterRemark[];
}

export type Judgement = SetJudgement | ClusterJudgement;
