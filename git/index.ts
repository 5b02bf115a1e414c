export { cacheFolder } from "./plumbing/cacheFolder.ts";
/** How files reach a repository: the only door to git/. No Pulumi, no Flux. */

export { tokenVariable, usernameVariable } from "./access/credentials.ts";
export { sendsToken } from "./access/credentialsSource.ts";
export { killAll } from "./access/run.ts";
export { announceWrite } from "./commit/comingWrites.ts";
export { conflictError } from "./commit/conflict.ts";
export { forgetNotes } from "./commit/notes.ts";
export { leftBehind } from "./commit/plan.ts";
export { followedFolders, moveOf, namesake, vacatedFolders } from "./commit/vacate.ts";
export { writeFiles } from "./commit/write.ts";
export { lastWriters } from "./plumbing/lastWriters.ts";
export { readFiles } from "./plumbing/read.ts";
export { sameRepository } from "./plumbing/sameRepository.ts";
export { branchMissing } from "./plumbing/missingBranch.ts";
export { objectId } from "./plumbing/tree.ts";
export { withTree, withTrees } from "./plumbing/treeReader.ts";
export type { TreeEntry, TreeReader, Trees } from "./plumbing/treeReader.ts";
export { deliverFiles, readDelivered } from "./pullRequest/deliver.ts";
export type { DeliveryRequest, DeliveryResult, PullRequestInfo } from "./pullRequest/deliver.ts";
export { branchKey } from "./words/branchKey.ts";
export { checkDelivery } from "./words/checkDelivery.ts";
export type { Delivery, Provenance, PullRequestOptions, Signing } from "./words/delivery.ts";
export { GitError } from "./words/errors.ts";
export type { ChangeOrigin, Conflict, GitErrorKind } from "./words/errors.ts";
export { hideUserInfo } from "./words/redact.ts";
export * from "./words/rules.ts";
export type * from "./words/types.ts";
