import { type History, noHistory } from "./history.ts";
import type { ClusterState } from "./model.ts";
import { hashOf } from "./revision.ts";

export type Applied = "yes" | "no" | "unknown";

/**
 * Whether the cluster has applied the generated files of a commit: its bootstrap runs that commit or one built on it. Git
 * alone is never proof, so a state that only Git told is `unknown`; so is a revision of which the history tells nothing.
 * What an offline cluster had applied when it was last heard of, it has applied.
 */
export function applied(state: ClusterState, commit: string, history: History = noHistory): Applied {
  const has = hashOf(state.runs.bootstrap);
  if (state.source === "git" || has === undefined) return "unknown";
  const contains = history.contains(has, commit);
  if (contains !== undefined) return contains ? "yes" : "no";
  // The one that runs is older when the commit is built on it.
  return history.contains(commit, has) === true ? "no" : "unknown";
}
