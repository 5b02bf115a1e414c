/** What others apply from the repository, against what an update would have two owners of. */
export { checkOtherRoots, type Ownership } from "./checkOtherRoots.ts";
export { otherFolder } from "./otherFolder.ts";
export { findRoots, type OtherRoot } from "./findRoots.ts";
