import type { PullRequestOptions } from "../words/delivery.ts";
import type { GitContext, ObjectId } from "../words/types.ts";
import type { CommitStatus, PullRequest, PullRequestText } from "./host.ts";
import { openHost } from "./openHost.ts";
import { openOrUpdate } from "./openOrUpdate.ts";

/* What promotions ask of a host. */

/** What CI says of a commit; undefined where the host has no interface that is known. Rejects with GitError. */
export async function commitStatuses(
  url: string,
  options: PullRequestOptions,
  commit: ObjectId,
  context: GitContext,
): Promise<readonly CommitStatus[] | undefined> {
  const host = await openHost(url, options, context);
  return host?.statuses(commit);
}

/**
 * The one open pull request of a side branch that is pushed already. Undefined where the host has no interface that is known:
 * the branch is there, and a person opens it.
 */
export async function requestMerge(
  url: string,
  options: PullRequestOptions,
  { side, base, ...text }: PullRequestText & { readonly side: string; readonly base: string },
  context: GitContext,
): Promise<Pick<PullRequest, "number" | "url"> | undefined> {
  const host = await openHost(url, options, context);
  return host && openOrUpdate(host, side, base, text);
}
