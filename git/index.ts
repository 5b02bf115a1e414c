export { cacheFolder } from "./plumbing/cacheFolder.ts";
/** How files reach a repository: the only door to git/. No Pulumi, no Flux. */

export { tokenVariable, usernameVariable } from "./access/credentials.ts";
export { sendsToken } from "./access/credentialsSource.ts";
export { killAll } from "./access/run.ts";
export { changeFile, type FileChange } from "./commit/changeFile.ts";
export { writeFiles } from "./commit/write.ts";
export type { Commit } from "./plumbing/commits.ts";
export { readFiles } from "./plumbing/read.ts";
export { withCheckout } from "./plumbing/withCheckout.ts";
export type { Checkout } from "./plumbing/withCheckout.ts";
export { branchMissing } from "./plumbing/missingBranch.ts";
export { objectId } from "./plumbing/tree.ts";
export { withTree, withTrees } from "./plumbing/treeReader.ts";
export type { TreeEntry, TreeReader, Trees } from "./plumbing/treeReader.ts";
export { deliverFiles, readDelivered } from "./pullRequest/deliver.ts";
export type { DeliveryRequest, DeliveryResult, PullRequestInfo } from "./pullRequest/deliver.ts";
export type { Before, Remembered } from "./words/before.ts";
export { branchKey } from "./words/branchKey.ts";
export { checkDelivery } from "./words/checkDelivery.ts";
export type { Delivery, Provenance, PullRequestOptions, Signing } from "./words/delivery.ts";
export { GitError } from "./words/errors.ts";
export type { ChangeOrigin, Conflict, ConflictKind, GitErrorKind } from "./words/errors.ts";
export { hideUserInfo } from "./words/redact.ts";
export * from "./words/rules.ts";
export type * from "./words/types.ts";
export { checkTokenHost, hostOf, tokenHosts, tokenHostSetting, unboundHosts } from "./access/tokenHost.ts";
