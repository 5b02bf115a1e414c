import type { Applied } from "../checks/deletions/index.ts";
import type { GitContext } from "../git/index.ts";
import type { ReadStatuses } from "./gates/checks.ts";
import type { Ask } from "./gates/ready.ts";

/** What promotions and rollbacks take from the world around them. */
export interface World {
  readonly git: GitContext;
  readonly now: () => Date;
  /** Asks clusters what they run. */
  readonly ask: Ask;
  /** Whether a cluster has applied a commit, for the guard of deletions. */
  readonly applied: Applied;
  readonly statuses: ReadStatuses;
}
