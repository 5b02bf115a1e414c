import type { DeliveryResult } from "../git/index.ts";

/** What to tell about a write that waits for people; undefined where there is nothing to tell. */
export function pullRequestNote({ kind, pullRequest }: DeliveryResult, base: string): string | undefined {
  if (pullRequest === undefined || kind === "unchanged") return undefined;
  const { branch, url, state } = pullRequest;
  return state === "open" && url !== undefined
    ? `committed to ${branch}; it reaches ${base} when this is merged: ${url}`
    : `committed to ${branch}; merge it into ${base}, since this host has no interface that is known for that.`;
}
