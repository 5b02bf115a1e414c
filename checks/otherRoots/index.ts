/** What others apply from the repository, against what an update would have two owners of. */
export { checkOtherRoots } from "./checkOtherRoots.ts";
export { rootBranches } from "./rootBranches.ts";
export { otherFolder } from "./otherFolder.ts";
export { findRoots } from "./findRoots.ts";
export type { OtherRoot } from "./readRoots.ts";
