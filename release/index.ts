/** Releases of what clusters take from pinned sources: the only door to release/. */

export { release, type Released, type ReleaseRequest } from "./release.ts";
export type { Since } from "./since.ts";
export type { PinnedClusters } from "./takers.ts";
