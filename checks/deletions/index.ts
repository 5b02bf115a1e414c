export { clusterAt, type ClusterAt } from "./clusterAt.ts";
export { judgeDeletions, type JudgeOptions, type Verdict } from "./judge.ts";
export { judgedDeletions, type JudgedDeletions } from "./judgedDeletions.ts";
export { type Applied, nobodyAsked } from "./keptSets.ts";
export type { GoingSet } from "./goingSets.ts";
