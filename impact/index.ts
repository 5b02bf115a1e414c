export { impactOf, type ImpactWorld } from "./impactOf.ts";
export type { HeldBy, HeldSet, Impact, LostGuard, ReachedSet, ReachedStage, Way } from "./model.ts";
export type { Version } from "./sides.ts";
