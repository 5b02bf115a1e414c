import type { Removal } from "../../fleet/removal.ts";

/** Something that a cluster has by the branch it follows, and that the fleet file takes away. */
export interface Deletion {
  readonly kind: Removal["kind"];
  readonly name: string;
  /** Of a set that stays: the path, source or URL that it leaves. */
  readonly from?: string;
}

/** What is said of one or two things that go from a cluster. */
export interface Remark {
  readonly cluster: string;
  readonly going: readonly Deletion[];
  /** What becomes of them. */
  readonly text: string;
  /** How to avoid that; absent where nothing is deleted, so that nobody has to decide on it. */
  readonly ways?: string;
  /** Whether `removed` cannot confirm it, since others lose what they need. */
  readonly firm?: true;
}
