export type { Judgement, Severity } from "./judgement.ts";
export { judgeFleet } from "./judgeFleet.ts";
export type { Counts, Verdict } from "./judgeFleet.ts";
export { leaving } from "./leaving.ts";
export type { GoingBuild, Leaving } from "./leaving.ts";
export { builtObject } from "./objects.ts";
export type { Build, BuiltObject, ClusterSubject, Subject } from "./subject.ts";
export { substitutions } from "./substitution.ts";
export { judgementList } from "./table.ts";
